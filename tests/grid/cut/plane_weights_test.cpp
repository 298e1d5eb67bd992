// SPDX-License-Identifier: Apache-2.0
// Goal: planes weigh what was said of them beside the others, and a cut by weights ends no later
// than any other. Method: by hand, and against all cuts of small grids.
#include "makespan/grid/cut/plane_weights.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "makespan/base/error.hpp"
#include "makespan/base/random_draws.hpp"
#include "makespan/grid/cut/slab_cut.hpp"

namespace makespan::grid {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(PlaneWeights, have_a_mean_of_one) {
  PlaneWeights const weights(std::vector<double>{2, 6, 4}, 10);

  EXPECT_FALSE(weights.are_alike());
  EXPECT_DOUBLE_EQ(weights.between(10, 11), 0.5);
  EXPECT_DOUBLE_EQ(weights.between(11, 13), 2.5);
  EXPECT_DOUBLE_EQ(weights.between(0, 99), 3);
  EXPECT_DOUBLE_EQ(weights.between(12, 12), 0);
}

TEST(PlaneWeights, that_nothing_is_said_of_are_ones) {
  EXPECT_TRUE(PlaneWeights().are_alike());
  EXPECT_TRUE(PlaneWeights(std::vector<double>{}).are_alike());
  EXPECT_DOUBLE_EQ(PlaneWeights().between(-3, 4), 7);
  EXPECT_EQ(PlaneWeights().end_within(2, 9, 3.5), 5);
}

TEST(PlaneWeights, find_how_many_planes_weigh_so_much) {
  PlaneWeights const weights(std::vector<double>{1, 3, 1, 3});  // of mean 2

  EXPECT_EQ(weights.end_within(0, 4, 0.4), 0);
  EXPECT_EQ(weights.end_within(0, 4, 0.5), 1);
  EXPECT_EQ(weights.end_within(0, 4, 2.6), 3);
  EXPECT_EQ(weights.end_within(0, 2, 99), 2);
  EXPECT_EQ(weights.end_within(2, 4, -1), 2);
}

TEST(PlaneWeights, refuse_what_is_no_weight) {
  for (double const bad : {0.0, -1.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
    EXPECT_THAT([&] { PlaneWeights(std::vector<double>{1, bad}); },
                ThrowsMessage<InputError>(HasSubstr("plane_weights[1]")));
  }
}

// Of all cuts of planes from `first` on for devices in their order: the one that ends first.
double best_of_all_cuts(std::span<SlabDevice const> devices, std::int64_t first, std::int64_t last,
                        PlaneWeights const& weights) {
  std::int64_t const most = std::min(last - first, devices.front().planes_max);
  if (devices.size() == 1) {
    return most < last - first ? 1e300
                               : work_time(devices.front(), weights.between(first, last)).value();
  }
  double best = 1e300;
  for (std::int64_t mine = 0; mine <= most; ++mine) {
    double const ends =
        std::max(work_time(devices.front(), weights.between(first, first + mine)).value(),
                 best_of_all_cuts(devices.subspan(1), first + mine, last, weights));
    best = std::min(best, ends);
  }
  return best;
}

TEST(PlanesByWeight, end_no_later_than_any_other) {
  RandomDraws draws(11);
  for (int world = 0; world < 200; ++world) {
    std::int64_t const planes = 3 + draws.below(12);
    std::vector<double> costs;
    for (std::int64_t z = 0; z < planes; ++z) costs.push_back(0.1 + 10 * draws.next());
    PlaneWeights const weights(costs, 5);
    std::vector<SlabDevice> devices;
    for (int at = 0; at < 1 + world % 4; ++at) {
      devices.push_back({.speed = Speed{0.1 + draws.next()},
                         .start = Seconds{world % 3 == 0 ? draws.next() : 0.0},
                         .planes_max = world % 4 == 0 ? planes : 15});
    }
    auto const cut = planes_by_weight(5, planes, devices, weights);

    ASSERT_EQ(std::accumulate(cut.begin(), cut.end(), std::int64_t{0}), planes);
    double longest = 0;
    std::int64_t at = 5;
    for (std::size_t device = 0; device < cut.size(); ++device) {
      ASSERT_LE(cut[device], devices[device].planes_max);
      double const weight = weights.between(at, at + cut[device]);
      longest = std::max(longest, work_time(devices[device], weight).value());
      at += cut[device];
    }
    double const best = best_of_all_cuts(devices, 5, 5 + planes, weights);
    EXPECT_LE(longest, best * (1 + 1e-9)) << world;
  }
}

TEST(PlanesByWeight, of_planes_that_are_alike_are_by_speed) {
  std::vector<SlabDevice> const devices{{.speed = Speed{1}}, {.speed = Speed{2}}};
  EXPECT_THAT(planes_by_weight(7, 12, devices, {}), ElementsAre(4, 8));
  EXPECT_THROW(
      static_cast<void>(planes_by_weight(0, 2, {}, PlaneWeights(std::vector<double>{1, 2}))),
      InputError);
}

}  // namespace
}  // namespace makespan::grid
