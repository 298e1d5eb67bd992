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
    WayTable::Choice const choice = table.choose(operation, bytes, true);
    if (!choice.is_timed) break;
    int& count = choice.way == message ? tries.messages : tries.rmas;
    table.note(operation, bytes, choice.way, taken(choice.way, count++));
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
  EXPECT_EQ(table.choose(put, 4096, true), (WayTable::Choice{.way = rma}));
  EXPECT_EQ(table.choose(put, 4096, false), (WayTable::Choice{.way = rma}));
}

TEST(WayTable, takes_messages_where_they_are_as_fast) {
  WayTable table;

  static_cast<void>(try_out(table, put, 8, [](MemoryWay, int) { return 500; }));

  EXPECT_EQ(table.choose(put, 8, true), (WayTable::Choice{.way = message}));
}

// The first operation sets connections up, and most are held up by something else.
TEST(WayTable, passes_over_what_was_held_up) {
  WayTable table;
  static_cast<void>(try_out(table, get, 8, [](MemoryWay way, int turn) -> std::int64_t {
    if (way == message) return 900;
    return turn == 0 ? 1'000'000 : turn == 3 ? 800 : 50'000;
  }));

  EXPECT_EQ(table.choose(get, 8, true).way, rma);
}

TEST(WayTable, knows_each_size_and_operation_by_itself) {
  WayTable table;
  static_cast<void>(try_out(table, put, 65536, rma_is_faster));
  static_cast<void>(
      try_out(table, put, 8, [](MemoryWay way, int) { return way == rma ? 3000 : 1000; }));

  EXPECT_EQ(table.choose(put, 65536, true), (WayTable::Choice{.way = rma}));
  EXPECT_EQ(table.choose(put, 65536 + 4000, true), (WayTable::Choice{.way = rma}));
  EXPECT_EQ(table.choose(put, 8, true), (WayTable::Choice{.way = message}));
  EXPECT_TRUE(table.choose(get, 65536, true).is_timed);
  EXPECT_TRUE(table.choose(put, 200'000, true).is_timed);
}

TEST(WayTable, sends_messages_where_it_knows_nothing_and_cannot_time) {
  WayTable table;

  EXPECT_EQ(table.choose(put, 8, false), (WayTable::Choice{.way = message}));
  EXPECT_EQ(table.choose(put, 0, false), (WayTable::Choice{.way = message}));
  EXPECT_EQ(table.choose(put, std::size_t{1} << 40U, false), (WayTable::Choice{.way = message}));
}

// Some are lost with their image, and never noted.
TEST(WayTable, decides_though_some_never_end) {
  WayTable table;
  for (int turn = 0; turn < 10; ++turn) static_cast<void>(table.choose(put, 8, true));

  static_cast<void>(try_out(table, put, 8, rma_is_faster));

  EXPECT_EQ(table.choose(put, 8, true), (WayTable::Choice{.way = rma}));
}

TEST(WayTable, learns_from_several_threads) {
  WayTable table;
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 3; ++thread) {
    threads.emplace_back([&] { static_cast<void>(try_out(table, put, 64, rma_is_faster)); });
  }
  threads.clear();

  EXPECT_EQ(table.choose(put, 64, true), (WayTable::Choice{.way = rma}));
}

// Puts that share messages when many are under way are timed one by one.
TEST(WayTableTest, Rma_must_be_twice_as_fast_for_puts_that_are_batched) {
  WayTable table(256);
  try_out(table, put, 8, rma_is_a_little_faster);
  try_out(table, put, 1024, rma_is_a_little_faster);
  try_out(table, get, 8, rma_is_a_little_faster);
  EXPECT_EQ(table.choose(put, 8, true).way, message);
  EXPECT_EQ(table.choose(put, 1024, true).way, rma);
  EXPECT_EQ(table.choose(get, 8, true).way, rma);
  WayTable fast(256);
  try_out(fast, put, 8, rma_is_faster);
  EXPECT_EQ(fast.choose(put, 8, true).way, rma);
}

}  // namespace
}  // namespace makespan::pgas
