// SPDX-License-Identifier: Apache-2.0
// Goal: a gang divides a chunk as its mode says, and tells what is done of it when it is stopped.
// Method: one thread that plays leader and members, on tasks of 16 items.
#include "makespan/bag/detail/gang.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace makespan::bag {
namespace {

constexpr std::int64_t task_items = 16;

// Five tasks, and a gang of two threads that holds the first `tasks` of them.
struct GangStory {
  GangStory(Mode mode, std::int64_t tasks) : gang(bag, board, 0, 2, mode, clock) {
    board.publish(0, {0, tasks * task_items});
    gang.begin(0);
  }

  // Runs the next piece; empty when there is none.
  ItemRange run_next() {
    ItemRange const piece = gang.next();
    if (!piece.empty()) gang.finished(piece);
    return piece;
  }

  Bag bag{{{TaskId{0}, task_items, Work{5.0}},
           {TaskId{1}, task_items, Work{4.0}},
           {TaskId{2}, task_items, Work{3.0}},
           {TaskId{3}, task_items, Work{2.0}},
           {TaskId{4}, task_items, Work{1.0}}}};
  WorkerBoard board{1};
  SystemClock clock{};
  Gang gang;
};

TEST(Gang, divides_each_task_in_mode_mt) {
  GangStory story(Mode::mt, 2);
  std::int64_t at = 0;
  for (ItemRange piece = story.run_next(); !piece.empty(); piece = story.run_next()) {
    EXPECT_EQ(piece.begin, at);
    EXPECT_EQ(piece.items(), 1);  // a sixteenth
    at = piece.end;
  }
  EXPECT_EQ(at, 2 * task_items);
  EXPECT_EQ(story.gang.end().front(), (ItemRange{0, 2 * task_items}));
}

TEST(Gang, runs_as_many_whole_tasks_as_threads_in_mode_mth) {
  GangStory story(Mode::mth, 5);
  for (std::int64_t task = 0; task < 4; ++task)
    EXPECT_EQ(story.run_next(), (ItemRange{task * task_items, (task + 1) * task_items}));
  EXPECT_EQ(story.run_next().items(), 1);  // the fifth is divided
}

TEST(Gang, runs_what_thieves_leave) {
  GangStory story(Mode::mth, 4);
  EXPECT_EQ(story.run_next(), (ItemRange{0, task_items}));
  ASSERT_TRUE(story.board.take_tail(0, {task_items + 3, 4 * task_items}));

  EXPECT_EQ(story.run_next(), (ItemRange{task_items, task_items + 3}));
  EXPECT_TRUE(story.run_next().empty());
  EXPECT_EQ(story.gang.end().front(), (ItemRange{0, task_items + 3}));
}

TEST(Gang, tells_what_is_done_when_it_is_stopped) {
  GangStory story(Mode::mt, 2);
  for (int piece = 0; piece < task_items + 2; ++piece) story.run_next();
  ItemRange const lost = story.gang.next();
  ItemRange const last = story.gang.next();
  story.gang.finished(last);
  story.gang.abandoned();

  EXPECT_TRUE(story.gang.is_stopped());
  EXPECT_TRUE(story.gang.next().empty());
  std::vector<ItemRange> const done = story.gang.end();

  // The first task, two pieces of the second, and the one behind the lost one.
  EXPECT_EQ(
      done,
      (std::vector<ItemRange>{
          {0, task_items}, {task_items, task_items + 1}, {task_items + 1, task_items + 2}, last}));
  EXPECT_EQ(last.begin, lost.end);
}

TEST(Gang, hands_out_nothing_between_chunks) {
  GangStory story(Mode::mt, 1);
  while (!story.run_next().empty()) continue;
  static_cast<void>(story.gang.end());
  story.board.publish(0, {task_items, 2 * task_items});

  EXPECT_TRUE(story.gang.next().empty());
  story.gang.begin(task_items);
  EXPECT_EQ(story.gang.next().begin, task_items);
}

TEST(Gang, tells_its_members_of_each_chunk_and_of_the_end) {
  GangStory story(Mode::mt, 1);
  EXPECT_EQ(story.gang.wait_for_chunk(0), 1);
  story.gang.shut_down();
  EXPECT_EQ(story.gang.wait_for_chunk(1), 0);
}

}  // namespace
}  // namespace makespan::bag
