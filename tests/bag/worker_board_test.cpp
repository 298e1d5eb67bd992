// SPDX-License-Identifier: Apache-2.0
// Goal: what owners and thieves take from a board is everything, and nothing twice. Method: by
// hand, then threads that take from both ends.
#include "makespan/bag/worker_board.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

namespace makespan::bag {
namespace {

std::int64_t two(ItemRange left) {
  return std::min<std::int64_t>(left.items(), 2);
}

TEST(WorkerBoard, gives_its_owner_the_front) {
  WorkerBoard board(2);
  board.publish(1, {10, 13});

  EXPECT_TRUE(board.take_front(0, two).empty());
  EXPECT_EQ(board.take_front(1, two), (ItemRange{10, 12}));
  EXPECT_EQ(board.not_begun(1), (ItemRange{12, 13}));
  EXPECT_EQ(board.take_front(1, two), (ItemRange{12, 13}));
  EXPECT_TRUE(board.take_front(1, two).empty());
}

TEST(WorkerBoard, is_cleared_before_a_bag) {
  WorkerBoard board(2);
  for (int const worker : {0, 1}) {
    board.publish(worker, {10, 13});
    board.begin_piece(worker, Work{2.0}, {});
  }

  board.clear(1);

  EXPECT_TRUE(board.not_begun(1).empty());
  EXPECT_EQ(board.view(1, Speed{}, {}).begun, Work{});
  EXPECT_EQ(board.not_begun(0), (ItemRange{10, 13}));
}

TEST(WorkerBoard, gives_a_thief_the_tail_that_is_still_there) {
  WorkerBoard board(1);
  board.publish(0, {10, 20});

  EXPECT_TRUE(board.take_tail(0, {15, 20}));
  EXPECT_FALSE(board.take_tail(0, {16, 20}));
  EXPECT_EQ(board.take_front(0, two), (ItemRange{10, 12}));
  EXPECT_FALSE(board.take_tail(0, {11, 15}));
  EXPECT_TRUE(board.take_tail(0, {12, 15}));
  EXPECT_TRUE(board.not_begun(0).empty());
  EXPECT_FALSE(board.take_tail(0, {12, 15}));
}

TEST(WorkerBoard, gives_all_that_is_left_back) {
  WorkerBoard board(1);
  board.publish(0, {10, 20});
  board.take_front(0, two);

  EXPECT_EQ(board.take_all(0), (ItemRange{12, 20}));
  EXPECT_TRUE(board.take_all(0).empty());
}

TEST(WorkerBoard, shows_what_a_worker_is_at) {
  WorkerBoard board(1);
  auto const now = WorkerBoard::Clock::now();
  board.publish(0, {10, 20});
  EXPECT_EQ(board.view(0, Speed{2.0}, now).begun, Work{});

  board.begin_piece(0, Work{3.0}, now);
  WorkerView const view = board.view(0, Speed{2.0}, now + std::chrono::milliseconds(250));

  EXPECT_EQ(view.not_begun, (ItemRange{10, 20}));
  EXPECT_EQ(view.begun, Work{3.0});
  EXPECT_DOUBLE_EQ(view.since.value(), 0.25);
  EXPECT_EQ(view.speed, Speed{2.0});
  board.end_piece(0);
  EXPECT_EQ(board.view(0, Speed{2.0}, now).begun, Work{});
}

TEST(WorkerBoard, loses_nothing_between_an_owner_and_thieves) {
  constexpr std::int64_t items = 200'000;
  constexpr int thieves = 3;
  WorkerBoard board(1);
  std::vector<std::vector<ItemRange>> taken(thieves + 1);
  board.publish(0, {0, items});
  {
    std::vector<std::jthread> threads;
    for (int thief = 1; thief <= thieves; ++thief) {
      threads.emplace_back([&, thief] {
        for (ItemRange left = board.not_begun(0); !left.empty(); left = board.not_begun(0)) {
          ItemRange const tail{left.end - std::min<std::int64_t>(left.items(), thief), left.end};
          if (board.take_tail(0, tail)) taken[static_cast<std::size_t>(thief)].push_back(tail);
        }
      });
    }
    for (;;) {
      ItemRange const piece = board.take_front(0, two);
      if (piece.empty()) break;
      taken[0].push_back(piece);
    }
  }
  std::vector<int> counts(items);
  for (auto const& ranges : taken) {
    for (ItemRange const& range : ranges) {
      for (auto item = range.begin; item < range.end; ++item)
        ++counts[static_cast<std::size_t>(item)];
    }
  }
  EXPECT_EQ(std::ranges::count(counts, 1), items);
}

}  // namespace
}  // namespace makespan::bag
