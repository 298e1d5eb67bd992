// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether a letter speaks of places and objects that there are. Its numbers become indexes of
// the place that takes it, and it may come from another image: of another program, or damaged.

#include "makespan/graph/object/coordinator_letters.hpp"
#include "makespan/graph/object/letter.hpp"

namespace makespan::graph {

// What a run has, as one of its places sees it.
struct LetterBounds {
  int place{};  // that takes the letter; 0 is the coordinator's
  int places{};
  int images{};
  int objects{};
};

// Throws InputError, which says from where the letter came, if a number in it is outside of these,
// or it is for the coordinator and came elsewhere. Tested by
// tests/graph/object/letter_check_test.cpp, as the functions below.
void expect_within(LetterBounds const& bounds, Letter const& letter);

// The same of what letters have in their bytes.
void expect_within(LetterBounds const& bounds, LoadsLetter const& loads);
void expect_within(LetterBounds const& bounds, PlaceState const& state);

}  // namespace makespan::graph
