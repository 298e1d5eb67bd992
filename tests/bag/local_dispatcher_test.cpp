// SPDX-License-Identifier: Apache-2.0
// Goal: claims come over the board, tails are stolen where that is on, and waiting workers are
// woken. Method: two workers played by hand, and by two threads where one must wait.
#include "makespan/bag/detail/local_dispatcher.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <future>
#include <optional>
#include <thread>

#include "makespan/bag/policy/policy_registry.hpp"
#include "watched_clock.hpp"

namespace makespan::bag {
namespace {

constexpr std::chrono::seconds limit{10};

// How often each thread's results were kept and dropped.
class KeepCounter final : public ItemRunner {
 public:
  void run(int /*thread*/, TaskId /*task*/, std::int64_t /*begin*/, std::int64_t /*end*/) override {
  }
  void keep(int thread) override { ++kept[static_cast<std::size_t>(thread)]; }
  void drop(int thread) override { ++dropped[static_cast<std::size_t>(thread)]; }

  std::array<int, 2> kept{};
  std::array<int, 2> dropped{};
};

struct Server {
  explicit Server(Dispatcher kind)
      : dispatcher(bag, runner, layout, kind, {.state = state, .board = board, .clock = clock}) {}

  Bag bag{{{TaskId{0}, 100, Work{1.0}}}};
  TeamState state{.policy = make_policy("self", {{"chunk_items", 60.0}}),
                  .speeds = SpeedTable(2),
                  .claim_costs = {},
                  .failed = {}};
  TeamLayout layout{{{.threads = 2}}};
  KeepCounter runner{};
  WorkerBoard board{2};
  WatchedClock clock{};
  LocalDispatcher dispatcher;
};

TEST(LocalDispatcher, puts_what_is_claimed_on_the_board) {
  Server server(Dispatcher::counter);

  auto const grant = server.dispatcher.claim(0, Seconds{1e-6});

  ASSERT_TRUE(grant);
  EXPECT_EQ(grant->items, (ItemRange{0, 60}));
  EXPECT_FALSE(grant->waited);
  EXPECT_FALSE(grant->stolen);
  EXPECT_EQ(server.board.not_begun(0), (ItemRange{0, 60}));
  EXPECT_EQ(server.dispatcher.claims(), 1);
}

TEST(LocalDispatcher, gives_a_tail_when_nothing_is_left_to_claim) {
  Server server(Dispatcher::steal);
  ASSERT_TRUE(server.dispatcher.claim(0, Seconds{}));
  ASSERT_TRUE(server.dispatcher.claim(1, Seconds{}));
  server.board.take_front(0, [](ItemRange) { return std::int64_t{20}; });
  server.dispatcher.finish(0, std::array{ItemRange{0, 20}}, Seconds{2.0}, Seconds{});
  server.board.begin_piece(0, Work{1.0}, WorkerBoard::Clock::now());
  server.board.take_all(1);
  server.dispatcher.finish(1, std::array{ItemRange{60, 100}}, Seconds{4.0}, Seconds{});

  // Both do 10 items a second, and the first has one at hand and 39 or 40 to begin.
  auto const grant = server.dispatcher.claim(1, Seconds{});

  ASSERT_TRUE(grant);
  EXPECT_TRUE(grant->stolen);
  EXPECT_EQ(grant->items.end, 60);
  EXPECT_GE(grant->items.begin, 39);
  EXPECT_LE(grant->items.begin, 41);
  EXPECT_EQ(server.board.not_begun(0), (ItemRange{20, grant->items.begin}));
  EXPECT_EQ(server.dispatcher.steals(), 1);
}

// No event tells that a victim slows down.
TEST(LocalDispatcher, looks_again_for_a_tail_while_it_waits) {
  Server server(Dispatcher::steal);
  ASSERT_TRUE(server.dispatcher.claim(0, Seconds{}));
  ASSERT_TRUE(server.dispatcher.claim(1, Seconds{}));
  // All but one item: who has not begun that one keeps it.
  server.board.take_front(0, [](ItemRange) { return std::int64_t{59}; });
  server.dispatcher.finish(0, std::array{ItemRange{0, 58}}, Seconds{5.8}, Seconds{});
  server.board.take_all(1);
  server.dispatcher.finish(1, std::array{ItemRange{60, 100}}, Seconds{4.0}, Seconds{});

  auto thief =
      std::async(std::launch::async, [&] { return server.dispatcher.claim(1, Seconds{}); });
  EXPECT_TRUE(server.clock.waiting_a_while.try_acquire_for(limit));
  server.board.begin_piece(0, Work{1.0}, WorkerBoard::Clock::now() - std::chrono::seconds{60});
  bool const has_come = thief.wait_for(limit) == std::future_status::ready;
  if (!has_come) server.dispatcher.stop();
  auto const grant = thief.get();

  ASSERT_TRUE(has_come);
  ASSERT_TRUE(grant);
  EXPECT_TRUE(grant->waited);
  EXPECT_TRUE(grant->stolen);
  EXPECT_EQ(grant->items, (ItemRange{59, 60}));
}

TEST(LocalDispatcher, wakes_who_waits_when_something_comes_back) {
  Server server(Dispatcher::counter);
  ASSERT_TRUE(server.dispatcher.claim(0, Seconds{}));
  ASSERT_TRUE(server.dispatcher.claim(1, Seconds{}));
  server.dispatcher.finish(1, std::array{ItemRange{60, 100}}, Seconds{1.0}, Seconds{});
  std::optional<Grant> grant;

  std::jthread waiter([&] { grant = server.dispatcher.claim(1, Seconds{}); });
  EXPECT_TRUE(server.clock.waiting.try_acquire_for(limit));
  server.dispatcher.finish(0, std::array{ItemRange{0, 10}}, Seconds{1.0}, Seconds{});
  server.dispatcher.give_back(0);
  waiter.join();

  ASSERT_TRUE(grant);
  EXPECT_EQ(grant->items, (ItemRange{10, 60}));
  EXPECT_TRUE(server.board.not_begun(0).empty());
}

TEST(LocalDispatcher, lets_who_waits_go_when_all_is_done_or_stopped) {
  for (bool const is_stopped : {false, true}) {
    Server server(Dispatcher::counter);
    ASSERT_TRUE(server.dispatcher.claim(0, Seconds{}));
    ASSERT_TRUE(server.dispatcher.claim(1, Seconds{}));
    server.dispatcher.finish(1, std::array{ItemRange{60, 100}}, Seconds{1.0}, Seconds{});
    std::jthread const waiter([&] { EXPECT_FALSE(server.dispatcher.claim(1, Seconds{})); });
    EXPECT_TRUE(server.clock.waiting.try_acquire_for(limit));
    if (is_stopped) {
      server.dispatcher.stop();
    } else {
      server.dispatcher.finish(0, std::array{ItemRange{0, 60}}, Seconds{1.0}, Seconds{});
    }
    EXPECT_EQ(server.dispatcher.complete(), !is_stopped);
  }
}

TEST(LocalDispatcher, keeps_what_comes_first_of_two_and_drops_the_second) {
  Server server(Dispatcher::counter);
  ASSERT_TRUE(server.dispatcher.claim(0, Seconds{}));
  ASSERT_TRUE(server.dispatcher.claim(1, Seconds{}));
  server.dispatcher.finish(1, std::array{ItemRange{60, 100}}, Seconds{1.0}, Seconds{});
  server.dispatcher.take_back(0);
  EXPECT_TRUE(server.board.not_begun(0).empty());

  auto const again = server.dispatcher.claim(1, Seconds{});
  ASSERT_TRUE(again);
  EXPECT_EQ(again->items, (ItemRange{0, 60}));
  server.dispatcher.finish(0, std::array{ItemRange{0, 10}}, Seconds{1.0}, Seconds{});
  server.dispatcher.finish(1, std::array{ItemRange{0, 30}}, Seconds{1.0}, Seconds{});
  EXPECT_EQ(server.runner.kept, (std::array{1, 1}));
  EXPECT_EQ(server.runner.dropped, (std::array{0, 1}));

  // Of what was dropped, items 10 to 29 go to the worker that asks next.
  auto const rest = server.dispatcher.claim(0, Seconds{});
  ASSERT_TRUE(rest);
  EXPECT_EQ(rest->items, (ItemRange{10, 30}));
  server.dispatcher.finish(0, std::array{ItemRange{10, 30}}, Seconds{1.0}, Seconds{});
  EXPECT_FALSE(server.dispatcher.complete());
  server.dispatcher.finish(1, std::array{ItemRange{30, 60}}, Seconds{1.0}, Seconds{});
  EXPECT_TRUE(server.dispatcher.complete());
}

}  // namespace
}  // namespace makespan::bag
