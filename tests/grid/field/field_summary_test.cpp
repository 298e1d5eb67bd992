// SPDX-License-Identifier: Apache-2.0
// Goal: least, most and sum of a field are exact, and the same in any order and parts. Method:
// values of all sizes, whose sums are known in whole numbers.
#include "makespan/grid/field/field_summary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "makespan/grid/field/slab_fields.hpp"

namespace makespan::grid {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// In units of 2^-80: limbs may have carries in each other.
__int128 units(FixedSum const& sum) {
  __int128 total = 0;
  for (std::int64_t const limb : sum.limbs) total = (total << FixedSum::limb_bits) + limb;
  return total;
}

TEST(OrderedKey, is_in_the_order_of_values) {
  std::vector<double> const values{-infinity, -1e300, -2, -1e-310, -0.0,    0.0,
                                   1e-310,    0.5,    3,  1e300,   infinity};
  for (std::size_t at = 0; at + 1 < values.size(); ++at) {
    EXPECT_LT(ordered_key(values[at]), ordered_key(values[at + 1])) << at;
  }
  for (double const value : values) {
    EXPECT_EQ(std::signbit(value_of_key(ordered_key(value))), std::signbit(value));
    EXPECT_EQ(value_of_key(ordered_key(value)), value);
  }
}

TEST(FixedSum, loses_nothing_of_numbers_with_80_bits_below_one) {
  FixedSum sum;
  for (double const value : {1.0, std::ldexp(1.0, -80), -1.0, std::ldexp(3.0, -53)}) sum.add(value);
  EXPECT_EQ(units(sum), (__int128{3} << 27) + 1);
}

TEST(FixedSum, is_the_same_in_any_order_and_in_parts) {
  std::mt19937_64 random(5);
  std::vector<double> values(10'000);
  for (double& value : values) {
    value = std::ldexp(std::uniform_real_distribution(-1.0, 1.0)(random),
                       -static_cast<int>(random() % 90));
  }
  FixedSum whole;
  for (double const value : values) whole.add(value);
  std::ranges::shuffle(values, random);
  FixedSum parts[2];
  for (std::size_t at = 0; at < values.size(); ++at) parts[at % 3 == 0 ? 0 : 1].add(values[at]);
  parts[0] += parts[1];
  EXPECT_EQ(parts[0], whole);
}

TEST(FixedSum, rounds_what_is_below_its_last_unit) {
  // A half of the last unit, and three halves: each to even.
  FixedSum sum;
  sum.add(std::ldexp(1.0, -81));
  sum.add(std::ldexp(3.0, -81));
  EXPECT_EQ(units(sum), 2);
}

TEST(ValueRange, of_nothing_changes_no_other) {
  ValueRange range;
  range.add(ordered_key(2));
  range.add(ordered_key(-3));
  ValueRange const before = range;
  range += ValueRange{};
  EXPECT_EQ(range, before);
  ValueRange nothing;
  nothing += ValueRange{};
  EXPECT_EQ(nothing, ValueRange{});
  nothing += range;
  EXPECT_EQ(nothing, before);
}

TEST(ScaleFor, makes_the_largest_at_most_one) {
  constexpr double greatest = std::numeric_limits<double>::max();
  constexpr double smallest = std::numeric_limits<double>::denorm_min();
  for (double const largest : {1.0, 0.75, 3.0, greatest, smallest, 1e-300}) {
    for (double const sign : {-1.0, 1.0}) {
      int const scale = scale_for(std::min(0.0, sign * largest), std::max(0.0, sign * largest));
      double const scaled = ScaleFactors(scale).of(largest);
      EXPECT_LT(scaled, 1) << largest;
      EXPECT_GE(scaled, 0.5) << largest;
    }
  }
  EXPECT_EQ(scale_for(0, 0), 0);
  EXPECT_EQ(scale_for(-infinity, 1), 0);
  EXPECT_EQ(scale_for(std::nan(""), std::nan("")), 0);
}

TEST(FieldSummary, is_of_a_box_of_a_view) {
  Box const box{{3, 4, 5}, {10, 9, 8}};
  SlabFields fields(
      {.box = box, .halo_width = 1, .roles = {FieldRole::spreads}, .values = {FaceValues{}}});
  fields.clear(fields.first_plane(), fields.last_plane());
  FieldView const& view = fields.now()[0];
  double next = -40;
  for (std::int64_t z = 0; z < 3; ++z) {
    for (std::int64_t y = 0; y < 5; ++y) {
      for (std::int64_t x = 0; x < 7; ++x) view.at(y, z)[x] = next++;
    }
  }
  ValueRange const range = range_of(view, box);
  EXPECT_EQ(value_of_key(range.least), -40);
  EXPECT_EQ(value_of_key(range.most), 64);
  EXPECT_EQ(scale_for(-40, 64), -7);
  EXPECT_EQ(units(sum_of(view, box, -7)), __int128{105 * 12} << 73);
  // Of a part: the second plane's last row.
  Box const part{{3, 8, 6}, {10, 9, 7}};
  EXPECT_EQ(value_of_key(range_of(view, part).least), -40 + 35 + 28);
  EXPECT_EQ(range_of(view, {{3, 4, 5}, {3, 9, 8}}), ValueRange{});
}

}  // namespace
}  // namespace makespan::grid
