// SPDX-License-Identifier: Apache-2.0
#pragma once

// What tells values with places from others: digests of parts add up to that of the whole.

#include <bit>
#include <cstdint>

#include "makespan/base/mixed_bits.hpp"

namespace makespan {

// Two sums modulo 2^64. They tell apart what differs by accident; they are no protection from those
// who look for other values with the same sums. docs/reference/record.md has the formula.
struct Digest {
  std::uint64_t first{};
  std::uint64_t second{};

  constexpr Digest& operator+=(Digest const& other) {
    first += other.first;
    second += other.second;
    return *this;
  }

  friend bool operator==(Digest const&, Digest const&) = default;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(first, second);
  }
};

// Of a number, and of the place where it stands: two that change places have another sum. In both
// sums the place is mixed before it meets the number, and the number meets it in another way.
// Tested by tests/base/digest_test.cpp.
[[nodiscard]] constexpr Digest digest_of(double value, std::uint64_t place) {
  auto const bits = std::bit_cast<std::uint64_t>(value);
  std::uint64_t const where = mixed_bits(place + 1);
  return {.first = mixed_bits(bits + where), .second = mixed_bits(std::rotl(bits, 32) ^ where)};
}

}  // namespace makespan
