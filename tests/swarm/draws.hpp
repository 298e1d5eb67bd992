// SPDX-License-Identifier: Apache-2.0
#pragma once

// Draws that repeat: the same seed gives the same world on every machine.

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "makespan/base/mixed_bits.hpp"

namespace makespan::swarm {

using Nanoseconds = std::int64_t;
constexpr Nanoseconds microsecond = 1'000;
constexpr Nanoseconds millisecond = 1'000'000;
constexpr Nanoseconds second = 1'000'000'000;

class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_{mixed_bits(seed + 0x9e3779b97f4a7c15U)} {}

  [[nodiscard]] std::uint64_t bits() {
    state_ += 0x9e3779b97f4a7c15U;
    return mixed_bits(state_);
  }
  // 0 up to 1, without 1.
  [[nodiscard]] double part() { return static_cast<double>(bits() >> 11U) * 0x1p-53; }
  // `least` to `most`, both of them too.
  [[nodiscard]] std::int64_t between(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(most - least + 1));
  }
  [[nodiscard]] int count(int least, int most) { return static_cast<int>(between(least, most)); }
  [[nodiscard]] bool chance(double probability) { return part() < probability; }
  // Each power of two between them as likely as the others.
  [[nodiscard]] Nanoseconds time(Nanoseconds least, Nanoseconds most);
  template <class Range>
  [[nodiscard]] auto const& one_of(Range const& choices) {
    return choices[static_cast<std::size_t>(between(0, std::ssize(choices) - 1))];
  }

 private:
  std::uint64_t state_;
};

inline Nanoseconds Draws::time(Nanoseconds least, Nanoseconds most) {
  std::int64_t doublings = 0;
  while ((least << (doublings + 1)) <= most) ++doublings;
  Nanoseconds const from = least << between(0, doublings);
  return between(from, from * 2 < most ? from * 2 : most);
}

}  // namespace makespan::swarm
