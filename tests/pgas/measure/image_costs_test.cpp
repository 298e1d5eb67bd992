// SPDX-License-Identifier: Apache-2.0
// Goal: every pair of images is measured, by several numbers of images and over every transport,
// and the others come home. What the numbers are is not looked at.
#include "makespan/pgas/measure/image_costs.hpp"

#include <gtest/gtest.h>

#include <stdlib.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <stop_token>
#include <thread>

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

// The other image of a game waits as long as this one takes for its puts, and sees nothing of them.
TEST(ImageMeter, plays_games_that_take_longer_than_waits_may) {
  // Long enough for images that share cores to meet in it.
  ASSERT_EQ(::setenv("MAKESPAN_WAIT_LIMIT_S", "1.0", 1), 0);
  ImageMeter meter;
  ASSERT_EQ(::unsetenv("MAKESPAN_WAIT_LIMIT_S"), 0);
  std::atomic<int> steps{0};

  if (meter.image() == 0) {
    std::stop_source stop;
    std::jthread after_one([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
      stop.request_stop();
    });
    // A quarter of a game's time for the puts of either side.
    Seconds const game{4.4};
    static_cast<void>(meter.measure(game * meter.steps(), steps, stop.get_token()));
  } else {
    meter.serve();
  }
  bool const is_first = meter.image() == 0;
  bool const is_alone = meter.images() == 1;
  meter.finish_all();

  if (is_first) {
    EXPECT_EQ(steps, is_alone ? 0 : 1);
  }
}

TEST(ImageMeter, ends_without_a_measurement) {
  ImageMeter meter;

  if (meter.image() != 0) meter.serve();

  meter.finish_all();
}

}  // namespace
}  // namespace makespan::pgas
