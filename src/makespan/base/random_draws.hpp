// SPDX-License-Identifier: Apache-2.0
#pragma once

// Pseudo-random numbers as a function of a seed and an index. The same seed and index give the same
// number on every thread and image.

#include <algorithm>
#include <cstdint>

#include "makespan/base/mixed_bits.hpp"

namespace makespan {

// A hash of seed and number. For decisions; simulations draw from simd/philox.hpp. Tested by
// tests/base/random_draws_test.cpp.
class RandomDraws {
 public:
  constexpr explicit RandomDraws(std::uint64_t seed)
      : stream_{mixed_bits(seed * golden + golden)} {}

  // Number `step`, uniform in [0, 1), whatever was drawn before.
  [[nodiscard]] constexpr double at(std::int64_t step) const {
    std::uint64_t const bits = mixed_bits(stream_ + static_cast<std::uint64_t>(step) * golden);
    return static_cast<double>(bits >> 11U) * 0x1p-53;
  }
  // The numbers from 0 on, one after the other.
  constexpr double next() { return at(step_++); }
  // The next, as one of 0 … count − 1; `count` is at least 1.
  constexpr int below(int count) {
    return std::min(count - 1, static_cast<int>(next() * static_cast<double>(count)));
  }

 private:
  static constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;

  std::uint64_t stream_;
  std::int64_t step_ = 0;
};

}  // namespace makespan
