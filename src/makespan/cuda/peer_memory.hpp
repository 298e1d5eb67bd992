// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory of a GPU that other GPUs of the machine write to: of this process (peer access) or of
// another (CUDA's inter-process communication).

#include <array>
#include <cstddef>
#include <memory>
#include <optional>

namespace makespan::cuda {

// Names memory to other processes of the machine; a cudaIpcMemHandle_t.
struct MemoryHandle {
  std::array<std::byte, 64> bytes{};
};

// Of memory from cudaMalloc. Nothing where the system has no such handles.
[[nodiscard]] std::optional<MemoryHandle> handle_of(std::byte* memory);

struct CloseMemory {
  void operator()(std::byte* memory) const;
};
using OpenedMemory = std::unique_ptr<std::byte, CloseMemory>;
// Of another process, which must keep it for as long; for kernels of the GPU that is the thread's.
// Empty where they cannot reach it.
[[nodiscard]] OpenedMemory open_memory(MemoryHandle const& handle);

// Lets kernels of `gpu` read and write the memory of `other`, both of this process, until the
// process ends; makes `gpu` the thread's. False where they cannot.
[[nodiscard]] bool enable_peer_access(int gpu, int other);

}  // namespace makespan::cuda
