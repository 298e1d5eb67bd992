// SPDX-License-Identifier: Apache-2.0
// Goal: boxes fill the domain, share no point, and are as large as their weights say. Method:
// random weights and domains, and by hand.
#include "makespan/grid/cut/detail/box_cut.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

#include "makespan/base/error.hpp"
#include "makespan/base/random_draws.hpp"

namespace makespan::grid {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(BoxCut, goes_across_the_longest_axis) {
  auto const boxes = boxes_by_weight({{0, 0, 0}, {4, 9, 3}}, std::vector<double>{2, 1});

  EXPECT_EQ(boxes[0], (Box{{0, 0, 0}, {4, 6, 3}}));
  EXPECT_EQ(boxes[1], (Box{{0, 6, 0}, {4, 9, 3}}));
}

TEST(BoxCut, of_eight_equal_ones_has_cubes) {
  for (Box const& box : boxes_by_weight({{}, {8, 8, 8}}, std::vector<double>(8, 1.0))) {
    EXPECT_EQ(box.extent(), (Point{4, 4, 4}));
  }
}

TEST(BoxCut, fills_the_domain_and_shares_no_point) {
  RandomDraws draws(5);
  for (int world = 0; world < 300; ++world) {
    Box const domain{{3, -2, 7}, {4 + draws.below(9), -1 + draws.below(9), 8 + draws.below(9)}};
    std::vector<double> weights;
    for (int at = 0; at < 1 + draws.below(9); ++at) {
      weights.push_back(draws.next() < 0.2 ? 0.0 : draws.next());
    }
    weights.front() += 0.1;
    auto const boxes = boxes_by_weight(domain, weights);

    std::int64_t points = 0;
    for (std::size_t one = 0; one < boxes.size(); ++one) {
      points += boxes[one].points();
      if (weights[one] == 0.0) {
        EXPECT_TRUE(boxes[one].is_empty()) << world;
      }
      EXPECT_EQ(intersection(boxes[one], domain).points(), boxes[one].points());
      for (std::size_t other = 0; other < one; ++other) {
        EXPECT_TRUE(intersection(boxes[one], boxes[other]).is_empty()) << world;
      }
    }
    EXPECT_EQ(points, domain.points()) << world;
  }
}

TEST(BoxCut, of_a_large_domain_is_by_weight) {
  RandomDraws draws(6);
  Box const domain{{}, {240, 200, 260}};
  for (int world = 0; world < 50; ++world) {
    std::vector<double> weights;
    for (int at = 0; at < 2 + world % 9; ++at) weights.push_back(0.2 + draws.next());
    double const all = std::accumulate(weights.begin(), weights.end(), 0.0);
    auto const boxes = boxes_by_weight(domain, weights);

    for (std::size_t at = 0; at < boxes.size(); ++at) {
      double const part =
          static_cast<double>(boxes[at].points()) / static_cast<double>(domain.points());
      EXPECT_NEAR(part * all / weights[at], 1.0, 0.05) << world;
    }
  }
}

TEST(BoxCut, gives_every_node_a_box_where_there_is_enough) {
  auto const boxes = boxes_by_weight({{}, {64, 64, 64}}, std::vector<double>{1e-6, 1, 1e-6, 1e-6});

  for (Box const& box : boxes) EXPECT_GT(box.points(), 0);
}

TEST(BoxCut, of_a_point_is_one_box) {
  auto const boxes = boxes_by_weight({{}, {1, 1, 1}}, std::vector<double>{1, 1, 1});

  std::int64_t points = 0;
  for (Box const& box : boxes) points += box.points();
  EXPECT_EQ(points, 1);
}

TEST(BoxCut, refuses_weights_that_mean_nothing) {
  auto const cut_of = [](std::vector<double> weights) {
    return [weights] { static_cast<void>(boxes_by_weight({{}, {4, 4, 4}}, weights)); };
  };
  EXPECT_THAT(cut_of({1, -1}), ThrowsMessage<InputError>(HasSubstr("weight 1 = -1")));
  EXPECT_THAT(cut_of({std::numeric_limits<double>::quiet_NaN()}),
              ThrowsMessage<InputError>(HasSubstr("weight 0")));
  EXPECT_THAT(cut_of({0, 0}), ThrowsMessage<InputError>(HasSubstr("sum of 0")));
  EXPECT_THAT(cut_of({}), ThrowsMessage<InputError>(HasSubstr("0 weights")));
}

}  // namespace
}  // namespace makespan::grid
