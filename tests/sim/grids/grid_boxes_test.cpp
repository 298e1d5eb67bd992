// SPDX-License-Identifier: Apache-2.0
// Goal: images that are given equal boxes have them, and keep them. Method: points, by hand.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include "sim/grids/small_jobs.hpp"

namespace makespan::sim {
namespace {

TEST(GridBoxes, are_equal_where_that_is_said) {
  GridJob job = row_of(4);
  job.images_along = {2, 2, 1};

  GridResult const result = simulate_grid(job);
  for (GridDeviceUse const& use : result.devices) {
    EXPECT_EQ(use.planes, 160);
    EXPECT_EQ(use.points, 4000);
  }
  EXPECT_EQ(result.messages, 8);
}

// Each with a host beside its device: planes move within the boxes, and the boxes stay.
TEST(GridBoxes, stay_when_speeds_are_looked_at) {
  GridJob job{.box = {{}, {20, 20, 100}}, .cut = grid::ImageCut::stack};
  job.images_along = {2, 2, 1};
  job.layers = {.share = grid::HostShare::front_back, .thickness = 1, .is_free = true};
  for (int image = 0; image < 4; ++image) {
    job.images.push_back({.devices = {plain_device(5e5), plain_device(), plain_device()}});
  }
  job.knows_speeds = false;
  job.steps = 100;
  job.rebalance_steps = 10;

  GridResult const result = simulate_grid(job);
  EXPECT_GE(result.rebalances, 1);
  for (std::size_t image = 0; image < 4; ++image) {
    std::int64_t planes = 0;
    std::int64_t points = 0;
    for (std::size_t device = 0; device < 3; ++device) {
      planes += result.devices[3 * image + device].planes;
      points += result.devices[3 * image + device].points;
    }
    // Stacked above each other they would have a quarter of the planes, of four times the points.
    EXPECT_EQ(planes, 100) << "image " << image;
    EXPECT_EQ(points, 10 * 10 * 100) << "image " << image;
  }
}

}  // namespace
}  // namespace makespan::sim
