// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory of a GPU, and of the host where a GPU can reach it. Both grow when asked, and lose what
// was in them then.

#include <cstddef>
#include <memory>

namespace makespan::cuda {

// Of the GPU that is the thread's when it grows.
class GpuMemory {
 public:
  // At least `bytes`, aligned to 256. Throws CudaFailed when there is no room.
  std::byte* reserve(std::size_t bytes);
  [[nodiscard]] std::byte* data() const { return memory_.get(); }

 private:
  struct Release {
    void operator()(std::byte* memory) const;
  };
  std::unique_ptr<std::byte[], Release> memory_;
  std::size_t bytes_{};
};

class PinnedMemory {
 public:
  std::byte* reserve(std::size_t bytes);
  [[nodiscard]] std::byte* data() const { return memory_.get(); }

 private:
  struct Release {
    void operator()(std::byte* memory) const;
  };
  std::unique_ptr<std::byte[], Release> memory_;
  std::size_t bytes_{};
};

}  // namespace makespan::cuda
