// SPDX-License-Identifier: Apache-2.0
#pragma once

// The objects, or places, that an envelope is about.

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>

#include "makespan/graph/object/message/block_cache.hpp"
#include "makespan/graph/rebalance/target.hpp"

namespace makespan::graph {

// As many as it was made of. One, as nearly every message has, is within: its receiver reads no
// other cache line for it. More are in a block of the thread's cache. Tested by
// tests/graph/object/message/targets_test.cpp.
class Targets {
 public:
  Targets() = default;
  // Of nothing yet.
  explicit Targets(std::size_t count) : size_{count} {
    if (count <= 1) return;
    many_ = CachedAllocator<Target>().allocate(count);
    std::uninitialized_value_construct_n(many_, count);
  }
  explicit(false) Targets(std::span<Target const> targets) : Targets(targets.size()) {
    std::ranges::copy(targets, begin());
  }
  explicit(false) Targets(std::initializer_list<Target> targets)
      : Targets(std::span(targets.begin(), targets.size())) {}

  Targets(Targets const& other) : Targets(std::span(other.begin(), other.size())) {}
  Targets(Targets&& other) noexcept
      : size_{std::exchange(other.size_, 0)},
        one_{other.one_},
        many_{std::exchange(other.many_, nullptr)} {}
  Targets& operator=(Targets other) noexcept {
    std::swap(size_, other.size_);
    std::swap(one_, other.one_);
    std::swap(many_, other.many_);
    return *this;
  }
  ~Targets() {
    if (many_ != nullptr) CachedAllocator<Target>().deallocate(many_, size_);
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] Target* begin() { return size_ > 1 ? many_ : &one_; }
  [[nodiscard]] Target* end() { return begin() + size_; }
  [[nodiscard]] Target const* begin() const { return size_ > 1 ? many_ : &one_; }
  [[nodiscard]] Target const* end() const { return begin() + size_; }
  [[nodiscard]] Target const& front() const { return *begin(); }

 private:
  std::size_t size_{0};
  Target one_{};           // where there is no more than one
  Target* many_{nullptr};  // where there are more
};

}  // namespace makespan::graph
