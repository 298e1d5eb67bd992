// SPDX-License-Identifier: Apache-2.0
#pragma once

// How fast places are, relative to each other, from objects that moved: the same object, for the
// same work, takes less time where it is faster.
//
// An object that took t before at a place of speed s, and takes u now at another one, says that the
// speed of the new place is s t d / u, where d is by how much work has grown meanwhile: the median,
// over objects that stayed, of their time now over that before; or, where too few stayed, over all
// that moved, of u s' / (t s), s' the speed that the new place is taken to have. Of all that came
// to a place the median counts. It is blended with the old speed as logarithms: where objects
// change places, both ends learn of the same difference, and a blend of one half gives each its
// half.
//
// Only ratios of speeds mean something. What is kept is the work that the present phase seems to
// have had, sum of time times speed: so loads measured before and after add up, as a load model
// that looks at several phases needs it.

#include <cstdint>
#include <span>
#include <vector>

namespace makespan::graph {

// By object: CPU time [s] and place in the phase before, and in this one. A time that is not
// positive, or no number: not measured.
struct ObjectTimes {
  std::span<double const> before_s{};
  std::span<double const> now_s{};
  std::span<std::int32_t const> place_before{};
  std::span<std::int32_t const> place_now{};
};

struct SpeedLearning {
  double time_s_min{2e-6};  // what is shorter, before or now, says more of the clock
  int samples_min{3};       // of a place, and of those that stayed; with fewer nothing is learned
  double blend{0.5};        // weight of what is new, 0 … 1
  double step_max{8.0};     // no speed changes by more than this factor at once
};

// New speeds, shape (places), from present ones, all positive. Unchanged where too few objects came
// to, everywhere if too few are left to tell how work grew. Positive and finite, always. Their
// mean, weighted by the time measured there now, is that of before. Tested by
// tests/graph/protocol/place_speeds_test.cpp.
[[nodiscard]] std::vector<double> learned_speeds(std::span<double const> speeds,
                                                 ObjectTimes const& times,
                                                 SpeedLearning const& options = {});

}  // namespace makespan::graph
