// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/stencil4d/detail/initial_values.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "makespan/apps/stencil4d/detail/halo.hpp"

namespace makespan::stencil4d {
namespace {

TEST(InitialValues, The_cosine_is_that_of_its_mode) {
  InitialValues const values({.points = 12, .side = 4, .mode = {1, 2, 0, 3}});

  double const phase = (1 * 5 + 2 * 7 + 0 * 3 + 3 * 11) / 12.0;
  EXPECT_NEAR(values.at({5, 7, 3, 11}), std::cos(2.0 * std::numbers::pi * phase), 1e-14);
}

TEST(InitialValues, Blocks_together_are_the_array) {
  Settings const settings{.points = 6, .side = 3, .initial = Initial::random};
  InitialValues const values(settings);

  std::set<double> seen;
  for (int index = 0; index < settings.blocks(); ++index) {
    auto const halo = values.block(index);
    for_each_row(std::span(halo), 3,
                 [&](std::span<double const> row) { seen.insert(row.begin(), row.end()); });
  }

  EXPECT_EQ(std::ssize(seen), 6 * 6 * 6 * 6);
}

TEST(InitialValues, A_block_begins_at_its_corner_and_its_halo_is_zero) {
  Settings const settings{.points = 6, .side = 3, .initial = Initial::random};
  InitialValues const values(settings);
  int const index = index_of({0, 1, 1, 0}, 2);

  auto const halo = values.block(index);

  std::int64_t const first = stride(3, 0) + stride(3, 1) + stride(3, 2) + stride(3, 3);
  EXPECT_EQ(halo[static_cast<std::size_t>(first)], values.at({0, 3, 3, 0}));
  EXPECT_EQ(halo[static_cast<std::size_t>(first + 1)], values.at({0, 3, 3, 1}));
  EXPECT_EQ(halo[0], 0.0);
}

}  // namespace
}  // namespace makespan::stencil4d
