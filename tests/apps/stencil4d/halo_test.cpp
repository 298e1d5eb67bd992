// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/stencil4d/detail/halo.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace makespan::stencil4d {
namespace {

constexpr int side = 3;

// Each value is its own place in the array.
std::vector<double> numbered() {
  std::vector<double> halo(static_cast<std::size_t>(halo_points(side)));
  std::iota(halo.begin(), halo.end(), 0.0);
  return halo;
}

int coordinate(std::int64_t at, int axis) {
  return static_cast<int>(at / stride(side, axis) % (side + 2));
}

bool is_own(std::int64_t at) {
  for (int axis = 0; axis < 4; ++axis) {
    if (coordinate(at, axis) == 0 || coordinate(at, axis) == side + 1) return false;
  }
  return true;
}

TEST(Halo, A_face_is_the_outermost_own_layer_in_order) {
  for (int number = 0; number < directions; ++number) {
    Direction const direction = Direction::of(number);

    auto const face = face_of(numbered(), side, direction);

    EXPECT_EQ(std::ssize(face), face_points(side));
    EXPECT_TRUE(std::ranges::is_sorted(face));
    for (double const value : face) {
      auto const at = static_cast<std::int64_t>(value);
      EXPECT_TRUE(is_own(at));
      EXPECT_EQ(coordinate(at, direction.axis), direction.end == 0 ? 1 : side);
    }
  }
}

// Nine neighbours find what they should: a block is its own neighbour in an array of one block.
TEST(Halo, A_face_lies_beside_the_points_that_it_is_next_to) {
  for (int number = 0; number < directions; ++number) {
    Direction const direction = Direction::of(number);
    auto halo = numbered();

    put_face(halo, side, direction, face_of(halo, side, direction.opposite()));

    std::int64_t changed = 0;
    for (std::int64_t at = 0; at < halo_points(side); ++at) {
      double const value = halo[static_cast<std::size_t>(at)];
      if (value == static_cast<double>(at)) continue;
      ++changed;
      EXPECT_EQ(coordinate(at, direction.axis), direction.end == 0 ? 0 : side + 1);
      // The way round the block and one point back.
      std::int64_t const way = side * stride(side, direction.axis);
      EXPECT_EQ(value, static_cast<double>(direction.end == 0 ? at + way : at - way));
    }
    EXPECT_EQ(changed, face_points(side));
  }
}

TEST(Halo, Reset_changes_the_low_faces_alone) {
  auto halo = numbered();

  reset_low_faces(halo, side);

  for (std::int64_t at = 0; at < halo_points(side); ++at) {
    bool is_low = false;
    for (int axis = 0; axis < 4; ++axis) is_low = is_low || coordinate(at, axis) == 1;
    double const expected = is_low && is_own(at) ? 255.0 : static_cast<double>(at);
    EXPECT_EQ(halo[static_cast<std::size_t>(at)], expected);
  }
}

TEST(Halo, Rows_are_the_own_points_in_order) {
  auto halo = numbered();
  std::vector<double> seen;

  for_each_row(std::span(halo), side,
               [&](std::span<double> row) { seen.insert(seen.end(), row.begin(), row.end()); });

  EXPECT_EQ(std::ssize(seen), own_points(side));
  EXPECT_TRUE(std::ranges::is_sorted(seen));
  EXPECT_TRUE(
      std::ranges::all_of(seen, [](double at) { return is_own(static_cast<std::int64_t>(at)); }));
}

}  // namespace
}  // namespace makespan::stencil4d
