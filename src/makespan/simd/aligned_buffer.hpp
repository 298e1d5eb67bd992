// SPDX-License-Identifier: Apache-2.0
// Memory that starts on a cache line, as vector loads want it.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace makespan::simd {

// Grows only; its contents do not survive growing.
template <class T>
class AlignedBuffer {
 public:
  // At least `count` values, uninitialised.
  T* reserve(std::size_t count) {
    if (count > count_) {
      // First, since there may be no room for both.
      memory_.reset();
      count_ = 0;  // so it is where there is no memory for more
      memory_.reset(static_cast<T*>(::operator new(count * sizeof(T), alignment)));
      count_ = count;
    }
    return memory_.get();
  }
  [[nodiscard]] T* data() { return memory_.get(); }

 private:
  static constexpr std::align_val_t alignment{64};
  struct Release {
    void operator()(T* memory) const { ::operator delete(memory, alignment); }
  };
  std::unique_ptr<T[], Release> memory_;
  std::size_t count_ = 0;
};

}  // namespace makespan::simd
