// SPDX-License-Identifier: Apache-2.0
// Goal: what objects take on kinds of places that they have not run on follows from those that
// have. Method: objects of two groups, one of which hardly minds a place of the second kind, the
// other of which takes four times as long there, measured on places of unequal speeds.
#include "makespan/graph/protocol/kind_factors.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <limits>
#include <vector>

namespace makespan::graph {
namespace {

constexpr int objects_of_a_group = 10;
constexpr double on_second_kind[] = {1.25, 4.0};  // by group, of the time on the first kind

// Places 0 and 1 of kind 0, 2 and 3 of kind 1, of unequal speeds.
std::vector<double> const kind_test_speed{1.0, 0.5, 1.0, 2.0};

KindFactors factors() {
  std::vector<std::int32_t> group;
  for (int object = 0; object < 2 * objects_of_a_group; ++object) {
    group.push_back(object / objects_of_a_group);
  }
  return KindFactors({0, 0, 1, 1}, group);
}

struct TwoKinds {
  std::vector<std::int32_t> place = std::vector<std::int32_t>(2 * objects_of_a_group);
  double work{1e-3};

  [[nodiscard]] std::vector<double> times_s() const {
    std::vector<double> times;
    for (std::size_t object = 0; object < place.size(); ++object) {
      auto const at = static_cast<std::size_t>(place[object]);
      double const there = at >= 2 ? on_second_kind[object / objects_of_a_group] : 1.0;
      times.push_back(work * there / kind_test_speed[at] * (1.0 + static_cast<double>(object)));
    }
    return times;
  }
};

// With times that the test has changed, and as they are.
void learn_times(KindFactors& factors, TwoKinds const& before, TwoKinds const& now,
                 std::vector<double> const& before_s, std::vector<double> const& now_s) {
  factors.learn(
      kind_test_speed,
      {.before_s = before_s, .now_s = now_s, .place_before = before.place, .place_now = now.place});
}
void learn_move(KindFactors& factors, TwoKinds const& before, TwoKinds const& now) {
  learn_times(factors, before, now, before.times_s(), now.times_s());
}

TEST(KindFactors, are_one_before_anything_has_moved) {
  KindFactors const known = factors();

  EXPECT_EQ(known.kinds(), 2);
  EXPECT_EQ(known.factor(3, 0), 1.0);
  EXPECT_EQ(known.factor(3, 1), 1.0);
}

TEST(KindFactors, are_those_of_the_objects_own_moves) {
  KindFactors known = factors();
  TwoKinds const before;
  TwoKinds now;
  now.place[0] = 2;   // of the first group
  now.place[15] = 3;  // of the second

  learn_move(known, before, now);

  EXPECT_NEAR(known.factor(0, 1), 1.25, 1e-12);
  EXPECT_NEAR(known.factor(15, 1), 4.0, 1e-12);
  EXPECT_EQ(known.factor(0, 0), 1.0);
  // One of a group is no sample, nor are two of all.
  EXPECT_EQ(known.factor(1, 1), 1.0);
}

TEST(KindFactors, of_others_are_those_of_their_group) {
  KindFactors known = factors();
  TwoKinds const before;
  TwoKinds now;
  for (std::size_t const object : {0U, 1U, 2U, 12U, 14U, 16U, 18U}) now.place[object] = 2;

  learn_move(known, before, now);

  EXPECT_NEAR(known.factor(9, 1), 1.25, 1e-12);
  EXPECT_NEAR(known.factor(11, 1), 4.0, 1e-12);
}

TEST(KindFactors, of_a_group_that_has_not_moved_are_those_of_all) {
  KindFactors known = factors();
  TwoKinds const before;
  TwoKinds now;
  for (std::size_t const object : {0U, 1U, 2U}) now.place[object] = 3;

  learn_move(known, before, now);

  EXPECT_NEAR(known.factor(15, 1), 1.25, 1e-12);
}

// The way back says the same as the way there.
TEST(KindFactors, are_learned_from_moves_in_both_directions) {
  KindFactors known = factors();
  TwoKinds before;
  before.place.assign(before.place.size(), 2);
  TwoKinds now = before;
  for (std::size_t const object : {10U, 12U, 14U}) now.place[object] = 1;

  learn_move(known, before, now);

  EXPECT_NEAR(known.factor(19, 1), 4.0, 1e-12);
  EXPECT_NEAR(known.factor(10, 1), 4.0, 1e-12);
}

TEST(KindFactors, do_not_take_work_that_has_grown_for_a_kind) {
  KindFactors known = factors();
  TwoKinds const before;
  TwoKinds now{.work = 3e-3};
  for (std::size_t const object : {0U, 1U, 2U}) now.place[object] = 2;

  learn_move(known, before, now);

  EXPECT_NEAR(known.factor(5, 1), 1.25, 1e-12);
}

TEST(KindFactors, blend_what_they_are_told_again) {
  KindFactors known = factors();
  TwoKinds const before;
  TwoKinds now;
  now.place[0] = 2;
  learn_move(known, before, now);
  auto const here_s = before.times_s();
  auto there_s = now.times_s();
  there_s[0] *= 1.21;

  learn_times(known, before, now, here_s, there_s);

  EXPECT_NEAR(known.factor(0, 1), 1.25 * 1.1, 1e-12) << "the mean, as logarithms";
}

// One that was held up says little where its group is known.
TEST(KindFactors, of_an_object_are_half_its_own_and_half_its_groups) {
  KindFactors known = factors();
  TwoKinds const before;
  TwoKinds now;
  for (std::size_t const object : {0U, 1U, 2U, 3U, 4U}) now.place[object] = 2;
  auto const before_s = before.times_s();
  auto now_s = now.times_s();
  now_s[0] *= 1.21;

  learn_times(known, before, now, before_s, now_s);

  EXPECT_NEAR(known.factor(0, 1), 1.25 * 1.1, 1e-12);
  EXPECT_NEAR(known.factor(1, 1), 1.25, 1e-12);
}

TEST(KindFactors, learn_nothing_where_none_tells_how_work_has_grown) {
  KindFactors known = factors();
  TwoKinds const before;
  TwoKinds now{.work = 3e-3};
  now.place.assign(now.place.size(), 2);

  learn_move(known, before, now);

  EXPECT_EQ(known.factor(0, 1), 1.0);
}

// From kind 0 to 1, and others from 1 to 2.
TEST(KindFactors, go_by_way_of_a_third_kind) {
  KindFactors known({0, 1, 2}, std::vector<std::int32_t>(12));
  std::vector<double> const equal{1.0, 1.0, 1.0};
  std::vector<std::int32_t> const at{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1};
  std::vector<std::int32_t> const then{1, 1, 1, 0, 0, 0, 2, 2, 2, 1, 1, 1};
  std::vector<double> const before_s{1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2};
  std::vector<double> const now_s{2, 2, 2, 1, 1, 1, 6, 6, 6, 2, 2, 2};

  known.learn(equal, {.before_s = before_s, .now_s = now_s, .place_before = at, .place_now = then});

  EXPECT_NEAR(known.factor(4, 1), 2.0, 1e-12);
  EXPECT_NEAR(known.factor(4, 2), 6.0, 1e-12);
}

TEST(KindFactors, pass_over_what_was_not_measured) {
  KindFactors known = factors();
  TwoKinds const before;
  TwoKinds now;
  for (std::size_t object = 0; object < 5; ++object) now.place[object] = 2;
  auto before_s = before.times_s();
  auto now_s = now.times_s();
  before_s[0] = -1.0;
  now_s[1] = std::numeric_limits<double>::quiet_NaN();
  now_s[2] = 0.0;
  before_s[3] = 1e-9;  // says more of the clock

  learn_times(known, before, now, before_s, now_s);

  for (int object = 0; object < 4; ++object) EXPECT_EQ(known.factor(object, 1), 1.0) << object;
  EXPECT_NEAR(known.factor(4, 1), 1.25, 1e-12);
}

TEST(KindFactors, leave_to_speeds_what_stayed_within_a_kind) {
  KindFactors const known = factors();
  TwoKinds const before;
  TwoKinds now;
  now.place[0] = 2;  // another kind
  now.place[1] = 1;  // the same
  auto const before_s = before.times_s();
  auto const now_s = now.times_s();
  std::vector<double> kept;

  ObjectTimes const within = known.within_kinds(
      {.before_s = before_s, .now_s = now_s, .place_before = before.place, .place_now = now.place},
      kept);

  EXPECT_LT(within.now_s[0], 0.0);
  EXPECT_EQ(within.now_s[1], now_s[1]);
}

TEST(KindFactors, of_one_kind_are_one_and_take_no_memory) {
  KindFactors known({0, 0}, {0, 0, 0});
  std::vector<double> const times{1.0, 1.0, 1.0};
  std::vector<std::int32_t> const at{0, 1, 0};
  std::vector<std::int32_t> const then{1, 0, 1};
  ObjectTimes const told{.before_s = times, .now_s = times, .place_before = at, .place_now = then};
  std::vector<double> kept;

  known.learn(std::vector<double>{1.0, 1.0}, told);

  EXPECT_EQ(known.kinds(), 1);
  EXPECT_EQ(known.factor(1, 0), 1.0);
  EXPECT_EQ(known.within_kinds(told, kept).now_s.data(), times.data());
}

}  // namespace
}  // namespace makespan::graph
