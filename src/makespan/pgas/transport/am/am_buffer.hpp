// SPDX-License-Identifier: Apache-2.0
#pragma once

// Buffers for the payloads of long messages: they grow to what was needed once, and are kept.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace makespan::pgas {

struct AmBuffer {
  std::unique_ptr<std::byte[]> data{};
  std::size_t capacity{0};
};

// Not thread-safe. Keeps as many buffers as were ever out at a time.
class AmBufferPool {
 public:
  // A buffer of at least `bytes`. Allocates if none that is long enough was given back.
  [[nodiscard]] AmBuffer take(std::size_t bytes) {
    AmBuffer buffer;
    if (!kept_.empty()) {
      buffer = std::move(kept_.back());
      kept_.pop_back();
    }
    if (buffer.capacity < bytes) {
      buffer.capacity = std::bit_ceil(std::max(bytes, bytes_min));
      buffer.data = std::make_unique_for_overwrite<std::byte[]>(buffer.capacity);
    }
    return buffer;
  }

  void give_back(AmBuffer buffer) {
    if (buffer.data != nullptr) kept_.push_back(std::move(buffer));
  }

 private:
  static constexpr std::size_t bytes_min = 4096;

  std::vector<AmBuffer> kept_;
};

}  // namespace makespan::pgas
