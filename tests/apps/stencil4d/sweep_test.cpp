// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/stencil4d/detail/sweep.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "makespan/apps/stencil4d/detail/halo.hpp"
#include "makespan/base/random_draws.hpp"

namespace makespan::stencil4d {
namespace {

std::vector<double> drawn(int side) {
  RandomDraws draws(7);
  std::vector<double> halo(static_cast<std::size_t>(halo_points(side)));
  for (double& value : halo) value = draws.next();
  return halo;
}

TEST(Sweep, Own_points_become_the_mean_of_nine_and_others_stay) {
  for (int const side : {1, 2, 5, 8}) {
    auto const from = drawn(side);
    std::vector<double> to(from.size(), -1.0);

    sweep(from, to, side);

    std::int64_t own = 0;
    for (std::int64_t at = 0; at < halo_points(side); ++at) {
      if (to[static_cast<std::size_t>(at)] == -1.0) continue;
      ++own;
      double sum = from[static_cast<std::size_t>(at)];
      for (int axis = 0; axis < 4; ++axis) {
        sum += from[static_cast<std::size_t>(at - stride(side, axis))] +
               from[static_cast<std::size_t>(at + stride(side, axis))];
      }
      EXPECT_NEAR(to[static_cast<std::size_t>(at)], sum / 9.0, 1e-15);
    }
    EXPECT_EQ(own, own_points(side));
  }
}

TEST(Sweep, Whole_constants_stay_to_the_last_bit) {
  for (double const value : {1.0, 255.0, -3.0, 1e6}) {
    std::vector<double> const from(static_cast<std::size_t>(halo_points(4)), value);
    std::vector<double> to = from;

    sweep(from, to, 4);

    EXPECT_EQ(to, from);
  }
}

}  // namespace
}  // namespace makespan::stencil4d
