// SPDX-License-Identifier: Apache-2.0
// Goal: no cut of planes ends a step earlier, and memories hold. Method: by hand, against all cuts
// of small grids, and against the efficiencies that quantisation leaves.
#include "makespan/grid/cut/slab_cut.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include "makespan/base/error.hpp"
#include "makespan/base/random_draws.hpp"

namespace makespan::grid {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<SlabDevice> devices_of(std::vector<double> const& speeds) {
  std::vector<SlabDevice> devices;
  for (double const speed : speeds) devices.push_back({.speed = Speed{speed}});
  return devices;
}

// Of the device that ends last.
Seconds longest_step(std::span<SlabDevice const> devices, std::span<std::int64_t const> planes) {
  Seconds longest{0.0};
  for (std::size_t at = 0; at < devices.size(); ++at) {
    longest = std::max(longest, step_time(devices[at], planes[at]));
  }
  return longest;
}

// Work over the speeds of all, over the time that the cut takes.
double efficiency(std::int64_t planes, std::vector<double> const& speeds) {
  auto const devices = devices_of(speeds);
  double const ideal =
      static_cast<double>(planes) / std::accumulate(speeds.begin(), speeds.end(), 0.0);
  return ideal / longest_step(devices, planes_by_speed(planes, devices)).value();
}

TEST(SlabCut, is_by_speed) {
  EXPECT_THAT(planes_by_speed(12, devices_of({1, 2, 3})), ElementsAre(2, 4, 6));
  EXPECT_THAT(planes_by_speed(5, devices_of({1, 1})), ElementsAre(3, 2));
  EXPECT_THAT(planes_by_speed(0, devices_of({1, 1})), ElementsAre(0, 0));
  EXPECT_THAT(planes_by_speed(1, devices_of({1, 9, 9})), ElementsAre(0, 1, 0));
}

// 64 planes and more are as good as any number: what is lost is a plane of the slowest.
TEST(SlabCut, of_many_planes_loses_little) {
  EXPECT_NEAR(efficiency(64, {1, 10}), 0.986, 1e-3);
  EXPECT_NEAR(efficiency(256, {1, 10}), 0.9988, 1e-4);
  EXPECT_NEAR(efficiency(64, {1, 1, 1, 0.25}), 0.985, 1e-3);
  EXPECT_NEAR(efficiency(512, {2, 2, 2, 1}), 0.995, 1e-3);
  EXPECT_NEAR(efficiency(64, {1, 4, 7}), 0.982, 2e-2);
}

TEST(SlabCut, leaves_out_who_would_not_begin_in_time) {
  std::vector<SlabDevice> const devices{{.speed = Speed{10.0}},
                                        {.speed = Speed{100.0}, .start = Seconds{1.0}}};

  EXPECT_THAT(planes_by_speed(5, devices), ElementsAre(5, 0));
  EXPECT_THAT(planes_by_speed(110, devices), ElementsAre(19, 91));
}

TEST(SlabCut, keeps_within_memories) {
  auto devices = devices_of({10, 1, 1});
  devices[0].planes_max = 3;
  devices[2].planes_max = 0;

  EXPECT_THAT(planes_by_speed(9, devices), ElementsAre(3, 6, 0));
}

// Of all cuts of `planes` from device `at` on: the one that ends first.
double best_of_all(std::span<SlabDevice const> devices, std::int64_t planes) {
  double const all = step_time(devices.front(), planes).value();
  if (devices.size() == 1) return planes <= devices.front().planes_max ? all : 1e300;
  double best = 1e300;
  for (std::int64_t mine = 0; mine <= std::min(planes, devices.front().planes_max); ++mine) {
    double const others = best_of_all(devices.subspan(1), planes - mine);
    best = std::min(best, std::max(step_time(devices.front(), mine).value(), others));
  }
  return best;
}

TEST(SlabCut, ends_no_later_than_any_other) {
  RandomDraws draws(1);
  for (int world = 0; world < 300; ++world) {
    std::vector<SlabDevice> devices;
    for (int at = 0; at < 1 + world % 4; ++at) {
      devices.push_back({.speed = Speed{0.1 + 10.0 * draws.next()},
                         .start = Seconds{draws.next() < 0.5 ? 0.0 : draws.next()},
                         .planes_max = 4 + draws.below(12)});
    }
    std::int64_t const planes = draws.below(1 + 4 * static_cast<int>(devices.size()));
    auto const cut = planes_by_speed(planes, devices);

    EXPECT_EQ(std::accumulate(cut.begin(), cut.end(), std::int64_t{0}), planes);
    EXPECT_DOUBLE_EQ(longest_step(devices, cut).value(), best_of_all(devices, planes)) << world;
    for (std::size_t at = 0; at < cut.size(); ++at) EXPECT_LE(cut[at], devices[at].planes_max);
  }
}

TEST(SlabCut, refuses_what_cannot_be) {
  auto const cut_of = [](std::vector<SlabDevice> devices) {
    return [devices] { static_cast<void>(planes_by_speed(4, devices)); };
  };
  EXPECT_THAT(cut_of({}), ThrowsMessage<InputError>(HasSubstr("no devices")));
  EXPECT_THAT(cut_of(devices_of({1, 0})),
              ThrowsMessage<InputError>(HasSubstr("device 1 with a speed of 0")));
  EXPECT_THAT(cut_of({{.speed = Speed{1.0}, .start = Seconds{-1.0}}}),
              ThrowsMessage<InputError>(HasSubstr("device 0 with a start of -1")));
  EXPECT_THAT(cut_of({{.speed = Speed{1.0}, .planes_max = -1}}),
              ThrowsMessage<InputError>(HasSubstr("room for -1 planes")));
  EXPECT_THAT(cut_of({{.speed = Speed{1.0}, .planes_max = 3}}),
              ThrowsMessage<InputError>(HasSubstr("hold 3")));
}

// Beside a start of a second, what its planes take is less than the last bit.
TEST(SlabCut, of_weights_has_all_planes_whatever_a_start_takes) {
  std::vector<double> weights(12, 1.0);
  weights[3] = 2.0;
  std::vector<SlabDevice> const devices{{.speed = Speed{1e30}, .start = Seconds{1.0}},
                                        {.speed = Speed{1e28}, .start = Seconds{1.0}}};

  auto const cut = planes_by_weight(0, 12, devices, PlaneWeights(weights));

  EXPECT_EQ(std::accumulate(cut.begin(), cut.end(), std::int64_t{0}), 12);
}

}  // namespace
}  // namespace makespan::grid
