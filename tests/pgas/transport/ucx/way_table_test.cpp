// SPDX-License-Identifier: Apache-2.0
// Goal: of two ways the faster one is taken, for each size and operation by itself, after few
// tries. Method: operations whose times the test says.
#include "makespan/pgas/transport/ucx/detail/way_table.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace makespan::pgas {
namespace {

using enum MemoryOperation;
using enum MemoryWay;

using TakenNs = std::function<std::int64_t(MemoryWay way, int turn)>;

// How many operations took either way before the table had decided; 100 at most are begun.
struct Tries {
  int messages{0};
  int rmas{0};
};
Tries try_out(WayTable& table, MemoryOperation operation, std::size_t bytes, TakenNs const& taken) {
  Tries tries;
  for (int turn = 0; turn < 100; ++turn) {
    WayTable::Choice const choice = table.choose(operation, bytes, true, 1000 * turn);
    if (!choice.is_timed) break;
    int& count = choice.way == message ? tries.messages : tries.rmas;
    table.note(operation, bytes, 1000 * turn + taken(choice.way, count++));
  }
  return tries;
}

std::int64_t rma_is_a_little_faster(MemoryWay way, int /*turn*/) {
  return way == rma ? 1000 : 1900;
}
std::int64_t rma_is_faster(MemoryWay way, int /*turn*/) {
  return way == rma ? 1000 : 3000;
}

TEST(WayTable, tries_both_ways_equally_often_and_then_takes_the_faster_one) {
  WayTable table;

  Tries const tries = try_out(table, put, 4096, rma_is_faster);

  EXPECT_EQ(tries.messages, WayTable::times_wanted);
  EXPECT_EQ(tries.rmas, WayTable::times_wanted);
  EXPECT_EQ(table.known(put, 4096), rma);
  EXPECT_EQ(table.known(get, 4096), std::nullopt);
  EXPECT_EQ(table.choose(put, 4096, true, 0), (WayTable::Choice{.way = rma}));
  EXPECT_EQ(table.choose(put, 4096, false, 0), (WayTable::Choice{.way = rma}));
}

TEST(WayTable, takes_messages_where_they_are_as_fast) {
  WayTable table;

  static_cast<void>(try_out(table, put, 8, [](MemoryWay, int) { return 500; }));

  EXPECT_EQ(table.choose(put, 8, true, 0), (WayTable::Choice{.way = message}));
}

// The first operation sets connections up, and most are held up by something else.
TEST(WayTable, passes_over_what_was_held_up) {
  WayTable table;
  static_cast<void>(try_out(table, get, 8, [](MemoryWay way, int turn) -> std::int64_t {
    if (way == message) return 900;
    return turn == 0 ? 1'000'000 : turn == 3 ? 800 : 50'000;
  }));

  EXPECT_EQ(table.choose(get, 8, true, 0).way, rma);
}

TEST(WayTable, knows_each_size_and_operation_by_itself) {
  WayTable table;
  static_cast<void>(try_out(table, put, 65536, rma_is_faster));
  static_cast<void>(
      try_out(table, put, 8, [](MemoryWay way, int) { return way == rma ? 3000 : 1000; }));

  EXPECT_EQ(table.choose(put, 65536, true, 0), (WayTable::Choice{.way = rma}));
  EXPECT_EQ(table.choose(put, 65536 + 4000, true, 0), (WayTable::Choice{.way = rma}));
  EXPECT_EQ(table.choose(put, 8, true, 0), (WayTable::Choice{.way = message}));
  EXPECT_TRUE(table.choose(get, 65536, true, 0).is_timed);
  table.note(get, 65536, 1);
  EXPECT_TRUE(table.choose(put, 200'000, true, 0).is_timed);
}

TEST(WayTable, sends_messages_where_it_knows_nothing_and_cannot_time) {
  WayTable table;

  EXPECT_EQ(table.choose(put, 8, false, 0), (WayTable::Choice{.way = message}));
  EXPECT_EQ(table.choose(put, 0, false, 0), (WayTable::Choice{.way = message}));
  EXPECT_EQ(table.choose(put, std::size_t{1} << 40U, false, 0), (WayTable::Choice{.way = message}));
}

// Pieces of a long put are under way together: each takes as long as all of them.
TEST(WayTable, shares_the_time_of_what_is_under_way_together) {
  WayTable table;
  std::int64_t now = 0;
  for (int turn = 0; turn < 2 * WayTable::times_wanted; ++turn) {
    WayTable::Choice const first = table.choose(put, 65536, true, now);
    ASSERT_TRUE(first.is_timed);
    for (int piece = 1; piece < 4; ++piece) {
      EXPECT_EQ(table.choose(put, 65536, true, now + piece), first);
    }
    // The last piece is shorter: it goes the same way, and is not timed.
    EXPECT_EQ(table.choose(put, 5000, true, now), (WayTable::Choice{.way = first.way}));
    // By messages the first piece is there soon and all of them late.
    now += first.way == message ? 100 : 700;
    for (int piece = 0; piece < 4; ++piece) {
      now += first.way == message ? 1000 : 10;
      table.note(put, 65536, now);
    }
  }

  EXPECT_EQ(table.choose(put, 65536, true, now), (WayTable::Choice{.way = rma}));
}

TEST(WayTable, times_no_more_than_a_run_at_once) {
  WayTable table;
  for (int each = 0; each < WayTable::run_most; ++each) {
    EXPECT_TRUE(table.choose(put, 8, true, 0).is_timed);
  }
  EXPECT_EQ(table.choose(put, 8, true, 0), (WayTable::Choice{.way = message}));
}

TEST(WayTable, forgets_what_has_not_begun) {
  WayTable table;
  for (int each = 0; each < 10; ++each) {
    EXPECT_TRUE(table.choose(put, 8, true, 0).is_timed);
    table.take_back(put, 8);
  }
  Tries const tries = try_out(table, put, 8, rma_is_faster);
  EXPECT_EQ(tries.rmas, WayTable::times_wanted);
  EXPECT_EQ(table.choose(put, 8, true, 0), (WayTable::Choice{.way = rma}));
}

TEST(WayTable, goes_on_after_one_that_was_given_up) {
  WayTable table;
  EXPECT_TRUE(table.choose(get, 4096, true, 0).is_timed);
  table.give_up(get, 4096);
  // One of two that are under way together.
  EXPECT_TRUE(table.choose(put, 4096, true, 0).is_timed);
  EXPECT_TRUE(table.choose(put, 4096, true, 0).is_timed);
  table.give_up(put, 4096);
  table.note(put, 4096, 1000);

  static_cast<void>(try_out(table, put, 8, rma_is_faster));

  EXPECT_EQ(table.known(put, 8), rma);
}

// Times overlap as they like: that all is decided, and nothing is counted twice, is asked for.
TEST(WayTable, learns_from_several_threads) {
  WayTable table;
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 3; ++thread) {
    threads.emplace_back([&] {
      for (int turn = 0; turn < 100'000; ++turn) {
        if (table.choose(put, 64, true, turn).is_timed) table.note(put, 64, turn + 1);
      }
    });
  }
  threads.clear();

  EXPECT_FALSE(table.choose(put, 64, true, 0).is_timed);
}

// Puts that share messages when many are under way are timed one by one.
TEST(WayTableTest, Rma_must_be_twice_as_fast_for_puts_that_are_aggregated) {
  WayTable table(256);
  try_out(table, put, 8, rma_is_a_little_faster);
  try_out(table, put, 1024, rma_is_a_little_faster);
  try_out(table, get, 8, rma_is_a_little_faster);
  EXPECT_EQ(table.choose(put, 8, true, 0).way, message);
  EXPECT_EQ(table.choose(put, 1024, true, 0).way, rma);
  EXPECT_EQ(table.choose(get, 8, true, 0).way, rma);
  WayTable fast(256);
  try_out(fast, put, 8, rma_is_faster);
  EXPECT_EQ(fast.choose(put, 8, true, 0).way, rma);
}

}  // namespace
}  // namespace makespan::pgas
