// SPDX-License-Identifier: Apache-2.0
// Goal: a melt goes on from its own checkpoints only, and says what differs.
#include "makespan/apps/melt/objects/detail/run_mark.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "makespan/base/error.hpp"

namespace makespan::melt {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

RunMark mark_at(std::int64_t step) {
  return {.settings = {.steps = 100}, .phase_steps = 20, .step = step};
}

TEST(RunMark, Goes_on_with_more_steps_and_other_lines) {
  RunMark now = mark_at(0);
  now.settings.steps = 1000;
  now.settings.thermo_steps = 7;
  EXPECT_NO_THROW(check_goes_on(mark_at(40), now, 3));
}

TEST(RunMark, Names_what_differs) {
  RunMark now = mark_at(0);
  now.settings.lattice_cells = {6, 6, 6};
  EXPECT_THAT([&] { check_goes_on(mark_at(40), now, 3); },
              ThrowsMessage<InputError>(HasSubstr(
                  "lattice_cells = [6, 6, 6] (the checkpoint is of a run with [20, 20, 20])")));
  now = mark_at(0);
  now.settings.time_step = 0.001;
  EXPECT_THAT([&] { check_goes_on(mark_at(40), now, 3); },
              ThrowsMessage<InputError>(HasSubstr("time_step = 0.001 (")));
  now = mark_at(0);
  now.phase_steps = 10;
  EXPECT_THAT([&] { check_goes_on(mark_at(40), now, 3); },
              ThrowsMessage<InputError>(HasSubstr("phase_steps = 10 (")));
}

TEST(RunMark, Refuses_where_nothing_is_left) {
  EXPECT_THAT(
      [] { check_goes_on(mark_at(100), mark_at(0), 6); },
      ThrowsMessage<InputError>(HasSubstr("steps = 100 (the checkpoint has done all of them: "
                                          "the run is at its end")));
  EXPECT_THAT([] { check_goes_on(mark_at(120), mark_at(0), 7); },
              ThrowsMessage<InputError>(HasSubstr("has done 120 of them): give more")));
}

TEST(RunMark, Says_of_an_end_in_the_middle_of_a_phase_that_it_is_the_end) {
  RunMark saved = mark_at(90);
  saved.settings.steps = 90;
  EXPECT_THAT([&] { check_goes_on(saved, saved, 6); },
              ThrowsMessage<InputError>(HasSubstr("raise steps to go on")));
}

TEST(RunMark, Refuses_the_middle_of_a_phase) {
  EXPECT_THAT([] { check_goes_on(mark_at(50), mark_at(0), 4); },
              ThrowsMessage<InputError>(HasSubstr("in the middle of a phase of 20 steps")));
}

// A file may name any: their product would run over.
TEST(RunMark, Refuses_phases_as_great_as_numbers_are) {
  EXPECT_THAT(
      [] { check_goes_on(mark_at(40), mark_at(0), std::numeric_limits<std::int64_t>::max()); },
      ThrowsMessage<InputError>(HasSubstr("in the middle of a phase of 20 steps")));
}

}  // namespace
}  // namespace makespan::melt
