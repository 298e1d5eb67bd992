// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory of a GPU, or of the host where a GPU can reach it. It grows when asked, and loses what was
// in it then.

#include <cstddef>
#include <memory>

namespace makespan::cuda {

enum class MemorySpace {
  gpu,     // of the GPU that is the thread's when the memory grows
  pinned,  // of the host, and not paged
};

class Memory {
 public:
  explicit Memory(MemorySpace space) : memory_{nullptr, {space}} {}

  // At least `bytes`, aligned to 256. Throws CudaFailed when there is no room. May wait for the
  // GPU.
  std::byte* reserve(std::size_t bytes);
  // The same without room to grow, for what stays as it is.
  std::byte* reserve_exactly(std::size_t bytes);
  [[nodiscard]] std::byte* data() const { return memory_.get(); }

 private:
  struct Release {
    MemorySpace space;
    void operator()(std::byte* memory) const;
  };
  std::unique_ptr<std::byte[], Release> memory_;
  std::size_t bytes_{};
};

}  // namespace makespan::cuda
