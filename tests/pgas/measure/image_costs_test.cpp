// SPDX-License-Identifier: Apache-2.0
// Goal: every pair of images is measured, by several numbers of images and over every transport,
// and the others come home. What the numbers are is not looked at.
#include "makespan/pgas/measure/image_costs.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>

namespace makespan::pgas {
namespace {

TEST(ImageMeter, measures_every_pair_both_ways) {
  ImageMeter meter;
  ImageCosts costs;
  std::atomic<int> steps{0};
  int const expected = meter.steps();

  if (meter.image() == 0) {
    costs = meter.measure(Seconds{0.05}, steps);
  } else {
    meter.serve();
  }
  bool const is_first = meter.image() == 0;
  auto const size = static_cast<std::size_t>(meter.images());
  meter.finish_all();

  if (!is_first) return;
  EXPECT_EQ(steps, expected);
  EXPECT_FALSE(costs.transport.empty());
  EXPECT_EQ(costs.hosts.size(), size);
  ASSERT_EQ(costs.latencies.size(), size * size);
  ASSERT_EQ(costs.bandwidths.size(), size * size);
  for (std::size_t pair = 0; pair < size * size; ++pair) {
    bool const is_with_itself = pair / size == pair % size;
    EXPECT_EQ(costs.latencies[pair] > 0.0, !is_with_itself) << pair;
    EXPECT_EQ(costs.bandwidths[pair] > 0.0, !is_with_itself) << pair;
    EXPECT_EQ(costs.latencies[pair], costs.latencies[pair % size * size + pair / size]);
  }
}

TEST(ImageMeter, ends_without_a_measurement) {
  ImageMeter meter;

  if (meter.image() != 0) meter.serve();

  meter.finish_all();
}

}  // namespace
}  // namespace makespan::pgas
