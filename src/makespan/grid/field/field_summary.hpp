// SPDX-License-Identifier: Apache-2.0
#pragma once

// The least and the most of a field's values, and their sum without rounding: the same however the
// grid is cut, and on whatever device its parts are.

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "makespan/grid/cut/box.hpp"
#include "makespan/grid/field/field_view.hpp"

namespace makespan::grid {

// A number that orders doubles as they are ordered, -0 before 0.
[[nodiscard]] constexpr std::uint64_t ordered_key(double value) {
  auto const bits = std::bit_cast<std::uint64_t>(value);
  constexpr std::uint64_t sign = std::uint64_t{1} << 63U;
  return (bits & sign) != 0 ? ~bits : bits | sign;
}
[[nodiscard]] constexpr double value_of_key(std::uint64_t key) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63U;
  return std::bit_cast<double>((key & sign) != 0 ? key & ~sign : ~key);
}

// Of some values, as keys; of none the most is below the least.
struct ValueRange {
  std::uint64_t least{std::numeric_limits<std::uint64_t>::max()};
  std::uint64_t most{0};

  constexpr void add(std::uint64_t key) {
    least = key < least ? key : least;
    most = key > most ? key : most;
  }

  // Of both; one of none leaves the other.
  constexpr ValueRange& operator+=(ValueRange const& other) {
    least = other.least < least ? other.least : least;
    most = other.most > most ? other.most : most;
    return *this;
  }

  friend bool operator==(ValueRange const&, ValueRange const&) = default;
};

// A sum in units of 2^-26, 2^-53 and 2^-80 of what its values were divided by, one for each limb:
// of up to 2^36 values whose size is at most 1. What is below the last unit is rounded away from
// each value, as nearest or even.
struct FixedSum {
  static constexpr int limb_bits = 27;
  static constexpr int first_bits = 26;
  std::array<std::int64_t, 3> limbs{};

  // `value`: divided already.
  constexpr void add(double value) {
    // Adding and taking away this leaves a whole number, the nearest.
    constexpr double whole = 6755399441055744.0;  // 1.5 * 2^52
    double rest = value * static_cast<double>(std::int64_t{1} << first_bits);
    for (std::int64_t& limb : limbs) {
      double const nearest = (rest + whole) - whole;
      limb += static_cast<std::int64_t>(nearest);
      rest = (rest - nearest) * static_cast<double>(std::int64_t{1} << limb_bits);
    }
  }
  constexpr FixedSum& operator+=(FixedSum const& other) {
    for (std::size_t at = 0; at < limbs.size(); ++at) limbs[at] += other.limbs[at];
    return *this;
  }

  friend bool operator==(FixedSum const&, FixedSum const&) = default;
};

// Of points of `box`, in the grid's numbers, which the view has. Tested by
// tests/grid/field/field_summary_test.cpp.
[[nodiscard]] ValueRange range_of(FieldView const& view, Box const& box);
// Of values times 2^scale, which is to make the largest at most 1 in size.
[[nodiscard]] FixedSum sum_of(FieldView const& view, Box const& box, int scale);

// 2^scale, in two factors that are doubles whatever the scale of one is.
struct ScaleFactors {
  explicit ScaleFactors(int scale)
      : first{std::ldexp(1.0, scale / 2)}, second{std::ldexp(1.0, scale - scale / 2)} {}

  [[nodiscard]] constexpr double of(double value) const { return value * first * second; }

  double first;
  double second;
};

// Of a field in a box: its sum is that of the limbs' units, times 2^-scale. Where one value is not
// finite the sum is 0 and says nothing; where one is no number, least and most are none either.
struct FieldSummary {
  double least{};
  double most{};
  int scale{};
  FixedSum sum{};
};

// The scale for values in this range; 0 where all are 0, or one is not finite.
[[nodiscard]] inline int scale_for(double least, double most) {
  double const largest = std::fmax(std::fabs(least), std::fabs(most));
  if (!std::isfinite(largest) || largest == 0) return 0;
  return -(std::ilogb(largest) + 1);
}

}  // namespace makespan::grid
