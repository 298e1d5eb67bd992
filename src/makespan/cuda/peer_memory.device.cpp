// SPDX-License-Identifier: Apache-2.0
#include "makespan/cuda/peer_memory.hpp"

#include "makespan/cuda/runtime_api.hpp"

#include <bit>

#include "makespan/cuda/error.hpp"
#include "makespan/cuda/gpu.hpp"

namespace makespan::cuda {

namespace {

static_assert(sizeof(cudaIpcMemHandle_t) == sizeof(MemoryHandle));

}  // namespace

std::optional<MemoryHandle> handle_of(std::byte* memory) {
  cudaIpcMemHandle_t handle{};
  if (!is_granted(cudaIpcGetMemHandle(&handle, memory))) return std::nullopt;
  return std::bit_cast<MemoryHandle>(handle);
}

void CloseMemory::operator()(std::byte* memory) const {
  static_cast<void>(is_granted(cudaIpcCloseMemHandle(memory)));
}

OpenedMemory open_memory(MemoryHandle const& handle) {
  void* memory = nullptr;
  // CUDA takes no other flag: access from one GPU to the other comes with the opening.
  bool const is_open = is_granted(cudaIpcOpenMemHandle(
      &memory, std::bit_cast<cudaIpcMemHandle_t>(handle), cudaIpcMemLazyEnablePeerAccess));
  return OpenedMemory{is_open ? static_cast<std::byte*>(memory) : nullptr};
}

bool enable_peer_access(int gpu, int other) {
  if (gpu == other) return true;
  int can_reach = 0;
  if (!is_granted(cudaDeviceCanAccessPeer(&can_reach, gpu, other)) || can_reach == 0) return false;
  // Access is given to the GPU that is the thread's, and holds until the process ends.
  use_gpu(gpu);
  cudaError_t const status = cudaDeviceEnablePeerAccess(other, 0);
  bool const was_enabled = status == cudaErrorPeerAccessAlreadyEnabled;
  return is_granted(status) || was_enabled;
}

}  // namespace makespan::cuda
