// SPDX-License-Identifier: Apache-2.0
#include "makespan/cuda/shared_memory.hpp"

#include "makespan/cuda/runtime_api.hpp"

#include <string>

#include "makespan/cuda/error.hpp"
#include "makespan/cuda/gpu.hpp"

namespace makespan::cuda {

SharedMemory allocate_shared(std::size_t bytes) {
  void* memory = nullptr;
  check(cudaMallocManaged(&memory, bytes, cudaMemAttachGlobal),
        std::to_string((bytes + (1U << 20U) - 1) >> 20U) + " MiB shared with the GPU");
  return SharedMemory(static_cast<std::byte*>(memory));
}

void ReleaseShared::operator()(std::byte* memory) const {
  static_cast<void>(cudaFree(memory));
}

void bring_to_gpu(std::byte const* memory, std::size_t bytes, int gpu, Stream const& stream) {
  if (!discover().gpus[static_cast<std::size_t>(gpu)].moves_pages) return;
// CUDA 13 takes a location where versions before it take a number.
#if CUDART_VERSION >= 13000
  cudaMemLocation const place{.type = cudaMemLocationTypeDevice, .id = gpu};
  check(cudaMemPrefetchAsync(memory, bytes, place, 0, stream.get()), "cudaMemPrefetchAsync");
#else
  check(cudaMemPrefetchAsync(memory, bytes, gpu, stream.get()), "cudaMemPrefetchAsync");
#endif
}

}  // namespace makespan::cuda
