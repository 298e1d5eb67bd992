// SPDX-License-Identifier: Apache-2.0
#pragma once

// How much a policy hands out: a count of items, or an amount of predicted work.

#include <cstdint>
#include <variant>

#include "makespan/base/quantity.hpp"

namespace makespan::bag {

// The classical techniques count items; those that weigh by speed want work, since items cost
// unequal amounts. The bag turns work into items (bag/protocol/bag.hpp).
class ChunkSize {
 public:
  [[nodiscard]] static constexpr ChunkSize of_items(std::int64_t items) { return ChunkSize(items); }
  [[nodiscard]] static constexpr ChunkSize of_work(Work work) { return ChunkSize(work); }

  // Null when the chunk is an amount of work.
  [[nodiscard]] constexpr std::int64_t const* items() const {
    return std::get_if<std::int64_t>(&size_);
  }

  // Null when the chunk is a count of items.
  [[nodiscard]] constexpr Work const* work() const { return std::get_if<Work>(&size_); }

 private:
  constexpr explicit ChunkSize(std::variant<std::int64_t, Work> size) : size_(size) {}

  std::variant<std::int64_t, Work> size_;
};

}  // namespace makespan::bag
