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

// Whether kernels of one GPU of this process may read and write another's memory, from now on.
[[nodiscard]] bool reaches(int gpu, int other);

}  // namespace makespan::cuda
