// SPDX-License-Identifier: Apache-2.0
// Goal: speeds of places are learned from objects that moved, and from nothing else. Method: times
// made from known work and known speeds.
#include "makespan/graph/protocol/place_speeds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "makespan/base/random_draws.hpp"

namespace makespan::graph {
namespace {

// Objects that change places at true speeds that PlaceSpeeds is not told.
struct Exchange {
  std::vector<double> speeds;
  std::vector<double> work;
  std::vector<std::int32_t> before;
  std::vector<std::int32_t> now;
  double growth{1.0};

  [[nodiscard]] std::vector<double> learned(std::vector<double> const& from,
                                            SpeedLearning const& options = {}) const {
    std::vector<double> before_s;
    std::vector<double> now_s;
    for (std::size_t object = 0; object < work.size(); ++object) {
      before_s.push_back(work[object] / speeds[static_cast<std::size_t>(before[object])]);
      now_s.push_back(work[object] * growth / speeds[static_cast<std::size_t>(now[object])]);
    }
    return learned_speeds(
        from, {.before_s = before_s, .now_s = now_s, .place_before = before, .place_now = now},
        options);
  }
};

// Three go from the fast place to the slow one, others stay.
Exchange const to_the_slow{.speeds = {1.0, 0.5},
                           .work = {1, 2, 3, 4, 5, 6, 7},
                           .before = {0, 0, 0, 0, 0, 1, 1},
                           .now = {1, 1, 1, 0, 0, 1, 1}};

TEST(PlaceSpeeds, learns_at_once_with_a_blend_of_one) {
  auto const speeds = to_the_slow.learned({1.0, 1.0}, {.blend = 1.0});

  EXPECT_NEAR(speeds[0] / speeds[1], 2.0, 1e-12);
}

TEST(PlaceSpeeds, learns_a_half_of_the_difference_each_time) {
  auto const speeds = to_the_slow.learned({1.0, 1.0});

  EXPECT_NEAR(speeds[0] / speeds[1], std::sqrt(2.0), 1e-12);
}

TEST(PlaceSpeeds, that_are_right_stay) {
  auto const speeds = to_the_slow.learned({1.0, 0.5});

  EXPECT_DOUBLE_EQ(speeds[0], 1.0);
  EXPECT_DOUBLE_EQ(speeds[1], 0.5);
}

TEST(PlaceSpeeds, takes_growth_of_work_for_what_it_is) {
  Exchange run = to_the_slow;
  run.growth = 1.7;

  auto const speeds = run.learned({1.0, 1.0}, {.blend = 1.0});
  EXPECT_NEAR(speeds[0] / speeds[1], 2.0, 1e-12);
}

// As where a balancer that does not know of the slow place yet moves everything, again and again:
// nothing stays that would tell how work has grown.
TEST(PlaceSpeeds, are_learned_where_all_objects_have_moved) {
  Exchange run;
  run.speeds = {1.0, 1.0, 1.0, 0.25};
  run.growth = 1.3;
  for (int object = 0; object < 40; ++object) {
    run.work.push_back(1.0 + object % 7);
    run.before.push_back(object % 4);
    run.now.push_back((object + 1 + object / 4 % 3) % 4);
  }

  auto const speeds = run.learned({1.0, 1.0, 1.0, 1.0}, {.blend = 1.0});

  for (int place = 0; place < 3; ++place) {
    EXPECT_NEAR(speeds[3] / speeds[static_cast<std::size_t>(place)], 0.25, 1e-9);
  }
}

// Objects of a melt take some microseconds in a phase.
TEST(PlaceSpeeds, are_learned_from_short_objects_but_not_from_such_as_clocks_do_not_tell) {
  Exchange run = to_the_slow;
  for (double& work : run.work) work = 10e-6;
  EXPECT_NEAR(run.learned({1.0, 1.0}, {.blend = 1.0})[0] / 2.0,
              run.learned({1.0, 1.0}, {.blend = 1.0})[1], 1e-12);
  for (double& work : run.work) work = 1e-6;
  EXPECT_EQ(run.learned({1.0, 1.0}), (std::vector{1.0, 1.0}));
}

TEST(PlaceSpeeds, of_both_ends_of_an_exchange_are_learned_once) {
  Exchange const exchange{.speeds = {1.0, 0.5},
                          .work = {1, 2, 3, 4, 5, 6, 7, 8, 9},
                          .before = {0, 0, 0, 1, 1, 1, 0, 1, 1},
                          .now = {1, 1, 1, 0, 0, 0, 0, 1, 1}};

  auto const speeds = exchange.learned({1.0, 1.0});
  EXPECT_NEAR(speeds[0] / speeds[1], 2.0, 1e-12);
}

TEST(PlaceSpeeds, keep_the_work_of_the_phase) {
  auto const speeds = to_the_slow.learned({1.0, 1.0});

  double const time_0 = 4 + 5;
  double const time_1 = 2.0 * (1 + 2 + 3 + 6 + 7);
  EXPECT_NEAR(time_0 * speeds[0] + time_1 * speeds[1], time_0 + time_1, 1e-12);
}

TEST(PlaceSpeeds, do_not_change_when_no_object_moved_however_work_grew) {
  Exchange run = to_the_slow;
  run.now = run.before;
  run.growth = 3.0;

  EXPECT_EQ(run.learned({0.7, 1.3}), (std::vector{0.7, 1.3}));
}

TEST(PlaceSpeeds, do_not_change_when_too_few_moved_or_stayed) {
  Exchange two_moved = to_the_slow;
  two_moved.now[0] = 0;
  Exchange two_stayed = to_the_slow;
  two_stayed.now = {1, 1, 1, 1, 1, 1, 1};
  two_stayed.before = {0, 0, 0, 0, 0, 1, 1};

  EXPECT_EQ(two_moved.learned({1.0, 1.0}), (std::vector{1.0, 1.0}));
  EXPECT_EQ(two_stayed.learned({1.0, 1.0}), (std::vector{1.0, 1.0}));
}

TEST(PlaceSpeeds, do_not_follow_one_object_that_is_noisy) {
  std::vector<double> const before_s(9, 1.0);
  std::vector<double> now_s(9, 1.0);
  std::vector<std::int32_t> const before(9, 0);
  std::vector<std::int32_t> const now{1, 1, 1, 1, 1, 0, 0, 0, 0};
  now_s[2] = 50.0;
  now_s[7] = 0.01;

  EXPECT_EQ(learned_speeds(std::vector{1.0, 1.0}, {before_s, now_s, before, now}),
            (std::vector{1.0, 1.0}));
}

TEST(PlaceSpeeds, do_not_come_from_what_is_short_or_was_not_measured) {
  double const none = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> const before_s{1e-6, 1e-6, 1e-6, none, -1.0, 1.0, 1.0, 1.0};
  std::vector<double> const now_s{1e-3, 1e-3, 1e-3, 1.0, 1.0, 0.0, 1.0, 1.0};
  std::vector<std::int32_t> const before{0, 0, 0, 0, 0, 0, 0, 0};
  std::vector<std::int32_t> const now{1, 1, 1, 1, 1, 1, 0, 0};

  EXPECT_EQ(
      learned_speeds(std::vector{1.0, 1.0}, {before_s, now_s, before, now}, {.samples_min = 1}),
      (std::vector{1.0, 1.0}));
}

TEST(PlaceSpeeds, change_by_no_more_than_allowed) {
  Exchange run = to_the_slow;
  run.speeds = {1.0, 1e-6};

  auto const speeds = run.learned({1.0, 1.0}, {.blend = 1.0});
  EXPECT_NEAR(speeds[0] / speeds[1], 8.0, 1e-12);
}

TEST(PlaceSpeeds, of_many_places_are_found_in_a_few_phases_of_noise) {
  RandomDraws draws(1);
  std::vector<double> const truth{1.0, 0.5, 0.5, 2.0, 1.0, 0.25};
  std::vector<double> speeds(truth.size(), 1.0);
  std::vector<std::int32_t> mapping(240, 0);
  for (auto& place : mapping) place = draws.below(6);
  for (int phase = 0; phase < 30; ++phase) {
    auto const before = mapping;
    for (auto& place : mapping) place = draws.next() < 0.3 ? draws.below(6) : place;
    std::vector<double> before_s;
    std::vector<double> now_s;
    for (std::size_t object = 0; object < mapping.size(); ++object) {
      before_s.push_back((0.95 + 0.1 * draws.next()) /
                         truth[static_cast<std::size_t>(before[object])]);
      now_s.push_back((0.95 + 0.1 * draws.next()) /
                      truth[static_cast<std::size_t>(mapping[object])]);
    }
    speeds = learned_speeds(speeds, {before_s, now_s, before, mapping});
  }

  for (std::size_t place = 1; place < truth.size(); ++place) {
    double const expected = truth[place] / truth[0];
    EXPECT_NEAR(speeds[place] / speeds[0], expected, 0.05 * expected) << place;
  }
}

}  // namespace
}  // namespace makespan::graph
