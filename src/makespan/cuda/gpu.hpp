// SPDX-License-Identifier: Apache-2.0
#pragma once

// The GPUs of this machine, as the CUDA runtime numbers them: what CUDA_VISIBLE_DEVICES hides is
// not there.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace makespan::cuda {

struct Gpu {
  std::string name{};
  std::string bus{};  // PCI address, as hwloc and the system write it
  std::int64_t memory_bytes{};
  int multiprocessors{};
  int lanes{};  // single-precision operations that all of them begin in a cycle
  double clock_hz{};
  double memory_rate{};  // bytes/s that its memory is made for; 0: it does not say
  int capability{};      // 90 for 9.0
};

// Bytes/s of its memory, about, also where its driver tells no clock of it: an H100 is made for 200
// MB/s for each of its lanes, an L4 for 40 MB/s. Above 0.
[[nodiscard]] constexpr double likely_memory_rate(Gpu const& gpu) {
  return gpu.memory_rate > 0 ? gpu.memory_rate : 1e8 * std::max(gpu.lanes, 1);
}

// What was found; if nothing, why, for people.
struct Discovery {
  std::vector<Gpu> gpus;
  std::string why_none;
};

// Looks once, and remembers. Takes up to some tenths of a second where there is a driver. Never
// throws for what is not there.
[[nodiscard]] Discovery const& discover();

#ifdef MAKESPAN_HAVE_CUDA
// Makes the GPU of this number the calling thread's. Throws CudaFailed.
void use_gpu(int gpu);
#endif

}  // namespace makespan::cuda
