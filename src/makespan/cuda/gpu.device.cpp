// SPDX-License-Identifier: Apache-2.0
#include "makespan/cuda/gpu.hpp"

#include "makespan/cuda/runtime_api.hpp"

#include <array>

#include "makespan/cuda/error.hpp"

namespace makespan::cuda {

namespace {

// In single precision, of a multiprocessor: of 8.0, for which the oldest code is made
// (docs/decisions/0054), and of what came after it (CUDA C++ Programming Guide, throughput of
// arithmetic instructions).
constexpr int lanes_then = 64;
constexpr int lanes_now = 128;

Gpu gpu_at(int index) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, index), "cudaGetDeviceProperties");
  std::array<char, 32> bus{};
  check(cudaDeviceGetPCIBusId(bus.data(), static_cast<int>(bus.size()), index),
        "cudaDeviceGetPCIBusId");
  // Clocks are asked for as attributes: CUDA 13 has taken them out of cudaDeviceProp.
  int clock_khz = 0;
  check(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, index), "cudaDeviceGetAttribute");
  int memory_khz = 0;
  int memory_bits = 0;
  check(cudaDeviceGetAttribute(&memory_khz, cudaDevAttrMemoryClockRate, index),
        "cudaDeviceGetAttribute");
  check(cudaDeviceGetAttribute(&memory_bits, cudaDevAttrGlobalMemoryBusWidth, index),
        "cudaDeviceGetAttribute");
  int const capability = 10 * properties.major + properties.minor;
  int const lanes = capability <= 80 ? lanes_then : lanes_now;
  return {.name = properties.name,
          .bus = bus.data(),
          .memory_bytes = static_cast<std::int64_t>(properties.totalGlobalMem),
          .multiprocessors = properties.multiProcessorCount,
          .lanes = properties.multiProcessorCount * lanes,
          .clock_hz = 1e3 * clock_khz,
          .memory_rate = 2.0 * 1e3 * memory_khz * memory_bits / 8,  // twice in a cycle
          .capability = capability};
}

Discovery look() {
  Discovery found;
  int driver = 0;
  // Without a driver the call succeeds, and says 0.
  if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) {
    found.why_none = "CUDA has no driver here";
    return found;
  }
  int count = 0;
  cudaError_t const status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess) {
    // The next call would report it once more.
    static_cast<void>(cudaGetLastError());
    found.why_none = std::string("CUDA finds no GPU: ") + cudaGetErrorString(status);
    return found;
  }
  for (int index = 0; index < count; ++index) found.gpus.push_back(gpu_at(index));
  if (count == 0) found.why_none = "CUDA finds no GPU";
  return found;
}

}  // namespace

Discovery const& discover() {
  static Discovery const found = look();
  return found;
}

void use_gpu(int gpu) {
  check(cudaSetDevice(gpu), "cudaSetDevice");
}

}  // namespace makespan::cuda
