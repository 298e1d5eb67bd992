// SPDX-License-Identifier: Apache-2.0
// Goal: chunks end where the mode wants. Method: a bag of tasks with 3, 4 and 5 items, worked out
// by hand.
#include "makespan/bag/protocol/mode.hpp"

#include <gtest/gtest.h>

#include "makespan/base/error.hpp"

namespace makespan::bag {
namespace {

// Items 0-2, 3-6 and 7-11.
Bag three_tasks() {
  return Bag({{TaskId{0}, 3, Work{3.0}}, {TaskId{1}, 4, Work{2.0}}, {TaskId{2}, 5, Work{1.0}}});
}

ItemRange snap(Mode mode, ItemRange wanted, std::int64_t free_end = 12) {
  return snapped(mode, three_tasks(), wanted, {wanted.begin, free_end});
}

TEST(Snapped, automatic_goes_back_to_the_last_end_of_a_task) {
  EXPECT_EQ(snap(Mode::automatic, {0, 6}), (ItemRange{0, 3}));
  EXPECT_EQ(snap(Mode::automatic, {0, 11}), (ItemRange{0, 7}));
  EXPECT_EQ(snap(Mode::automatic, {5, 9}), (ItemRange{5, 7}));
}

TEST(Snapped, automatic_splits_a_task_that_is_longer_than_the_chunk) {
  EXPECT_EQ(snap(Mode::automatic, {0, 2}), (ItemRange{0, 2}));
  EXPECT_EQ(snap(Mode::automatic, {7, 9}), (ItemRange{7, 9}));
}

TEST(Snapped, leaves_whole_tasks_alone) {
  EXPECT_EQ(snap(Mode::automatic, {0, 7}), (ItemRange{0, 7}));
  EXPECT_EQ(snap(Mode::mo, {0, 7}), (ItemRange{0, 7}));
  EXPECT_EQ(snap(Mode::mo, {3, 12}), (ItemRange{3, 12}));
}

TEST(Snapped, mo_goes_back_but_takes_one_task_at_least) {
  EXPECT_EQ(snap(Mode::mo, {0, 6}), (ItemRange{0, 3}));
  EXPECT_EQ(snap(Mode::mo, {0, 1}), (ItemRange{0, 3}));
  EXPECT_EQ(snap(Mode::mo, {7, 8}), (ItemRange{7, 12}));
}

TEST(Snapped, mo_stays_in_what_is_free) {
  EXPECT_EQ(snap(Mode::mo, {7, 8}, 10), (ItemRange{7, 10}));
}

TEST(Snapped, devices_that_claim_as_one_snap_as_automatic_does) {
  for (Mode const mode : {Mode::mt, Mode::mth}) {
    EXPECT_TRUE(claims_as_one(mode));
    EXPECT_EQ(snap(mode, {0, 6}), (ItemRange{0, 3}));
    EXPECT_EQ(snap(mode, {7, 9}), (ItemRange{7, 9}));
  }
}

TEST(Modes, are_found_by_name) {
  EXPECT_EQ(modes().front().mode, Mode::automatic);
  for (ModeEntry const& entry : modes()) {
    EXPECT_EQ(mode_named(entry.name), entry.mode);
    EXPECT_EQ(name_of(entry.mode), entry.name);
  }
}

TEST(Modes, name_the_nearest_of_an_unknown_one) {
  try {
    static_cast<void>(mode_named("atuo"));
    FAIL() << "accepted";
  } catch (InputError const& error) {
    EXPECT_STREQ(error.what(),
                 "mode 'atuo' is unknown (known: auto, mt, mo, mth): did you mean 'auto'?");
  }
}

}  // namespace
}  // namespace makespan::bag
