// SPDX-License-Identifier: Apache-2.0
// Goal: a window has what its last phases have in common. Method: by hand.
#include "makespan/graph/protocol/phase_window.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "makespan/base/contracts.hpp"

namespace makespan::graph {
namespace {

TEST(FactsOfAPhase, weigh_places_by_what_they_could_do) {
  // Twice as fast, and half of its core: as much in its time as the first.
  std::vector<PlaceBusy> const places{{.wall_s = 1.0},
                                      {.wall_s = 3.0, .availability = 0.5, .speed = 2.0}};

  PhaseFacts const facts = facts_of(places, 3.5);

  EXPECT_EQ(facts.phase_s, 3.5);
  EXPECT_EQ(facts.longest_s, 3.0);
  EXPECT_EQ(facts.mean_s, 2.0);
  EXPECT_EQ(facts.over_mean_s, (std::vector{-1.0, 1.0}));
  EXPECT_EQ(facts.excess_s(), 1.0);
}

TEST(FactsOfAPhase, have_no_phase_that_is_shorter_than_its_longest_place) {
  std::vector<PlaceBusy> const places{{.wall_s = 1.0}, {.wall_s = 4.0}};

  EXPECT_EQ(facts_of(places, 3.5).phase_s, 4.0);
}

TEST(PhaseFacts, excess_and_ratio_are_over_an_even_spread) {
  PhaseFacts const phase{.phase_s = 6.0, .longest_s = 5.0, .mean_s = 4.0};

  EXPECT_DOUBLE_EQ(phase.ratio(), 1.5);
  EXPECT_DOUBLE_EQ(phase.excess_s(), 1.0);
}

TEST(PhaseFacts, of_no_work_are_even) {
  EXPECT_EQ(PhaseFacts{.phase_s = 1.0}.ratio(), 1.0);
  EXPECT_EQ(PhaseFacts{.phase_s = 1.0}.excess_s(), 0.0);
  // Rounding may leave a mean above the longest.
  EXPECT_EQ((PhaseFacts{.phase_s = 1.0, .longest_s = 1.0, .mean_s = 1.5}.excess_s()), 0.0);
}

TEST(PhaseWindow, of_none_is_empty) {
  PhaseSummary const summary = PhaseWindow().summary();

  EXPECT_EQ(summary.phases, 0);
  EXPECT_EQ(summary.phase_s, 0.0);
  EXPECT_EQ(summary.ratio, 1.0);
}

TEST(PhaseWindow, is_not_moved_by_one_phase_that_is_longer) {
  PhaseWindow window;
  for (double const phase_s : {2.0, 90.0, 4.0}) {
    window.add({.phase_s = phase_s, .longest_s = 3.0, .mean_s = 2.0});
  }

  PhaseSummary const summary = window.summary();
  EXPECT_EQ(summary.phases, 3);
  EXPECT_EQ(summary.phase_s, 4.0);
  EXPECT_EQ(summary.phase_range_s, 88.0);
  EXPECT_EQ(summary.ratio, 2.0);
  EXPECT_EQ(summary.ratio_range, 44.0);
  EXPECT_EQ(summary.excess_s, 1.0);
}

TEST(PhaseWindow, takes_a_place_for_longest_that_often_is) {
  PhaseWindow now_this_now_that;
  PhaseWindow always_the_same;
  PhaseWindow nearly_the_same;
  for (int phase = 0; phase < 8; ++phase) {
    double const over_s = phase % 2 == 0 ? 1.0 : -1.0;
    PhaseFacts facts{.phase_s = 4.0, .longest_s = 4.0, .mean_s = 3.0};
    facts.over_mean_s = {over_s, -over_s};
    now_this_now_that.add(facts);
    facts.over_mean_s = {-1.0, 1.0};
    always_the_same.add(facts);
    facts.over_mean_s = {-1.0, 1.0 + 0.1 * over_s};
    nearly_the_same.add(facts);
  }

  EXPECT_EQ(now_this_now_that.summary().excess_s, 0.0);
  EXPECT_DOUBLE_EQ(always_the_same.summary().excess_s, 1.0);
  EXPECT_LT(nearly_the_same.summary().excess_s, 0.95);
  EXPECT_GT(nearly_the_same.summary().excess_s, 0.8);
}

TEST(PhaseWindow, sees_growth_that_is_no_chance) {
  PhaseWindow growing;
  PhaseWindow shrinking;
  PhaseWindow chance;
  PhaseWindow few;
  for (int phase = 0; phase < 8; ++phase) {
    double const mean_s = std::pow(1.03, phase);
    growing.add({.phase_s = 9.0, .longest_s = 9.0, .mean_s = phase == 4 ? 5.0 : mean_s});
    shrinking.add({.phase_s = 9.0, .longest_s = 9.0, .mean_s = 1.0 / mean_s});
    chance.add({.phase_s = 9.0, .longest_s = 9.0, .mean_s = phase % 3 == 0 ? mean_s : 1.1});
    if (phase < 3) few.add({.phase_s = 9.0, .longest_s = 9.0, .mean_s = mean_s});
  }

  EXPECT_NEAR(growing.summary().growth, 0.03, 1e-12);
  EXPECT_NEAR(shrinking.summary().growth, 1.0 / 1.03 - 1.0, 1e-12);
  EXPECT_EQ(chance.summary().growth, 0.0);
  EXPECT_EQ(few.summary().growth, 0.0);
}

TEST(PhaseWindow, leaves_the_outermost_out_of_the_range_of_six_and_more) {
  PhaseWindow window;
  for (double const phase_s : {2.0, 90.0, 4.0, 3.0, 3.0, 0.0}) window.add({phase_s, 1.0, 1.0});

  EXPECT_DOUBLE_EQ(window.summary().phase_range_s, 2.0 * 2.85 / 1.70);
}

TEST(PhaseWindow, forgets_what_is_long_ago) {
  PhaseWindow window;
  window.add({.phase_s = 90.0, .longest_s = 90.0, .mean_s = 1.0});
  for (std::size_t i = 0; i < PhaseWindow::length; ++i) window.add({1.0, 1.0, 1.0});

  EXPECT_EQ(window.count(), 8);
  EXPECT_EQ(window.summary().phase_range_s, 0.0);
  window.clear();
  EXPECT_EQ(window.count(), 0);
}

TEST(PhaseWindow, refuses_what_is_no_time) {
  PhaseWindow window;

  EXPECT_THROW(window.add({.phase_s = -1.0}), ContractViolated);
  window.add({.over_mean_s = {0.0, 0.0}});
  EXPECT_THROW(window.add({.over_mean_s = {0.0}}), ContractViolated);
  EXPECT_THROW(window.add({.longest_s = std::numeric_limits<double>::quiet_NaN()}),
               ContractViolated);
}

}  // namespace
}  // namespace makespan::graph
