// SPDX-License-Identifier: Apache-2.0
// Goal: claims come over the board, tails are stolen where that is on, and whoever waits is told.
// Method: two workers played by hand, and by two threads where one must wait.
#include "makespan/bag/local_dispatcher.hpp"

#include <gtest/gtest.h>
#include <array>

#include <thread>

#include "makespan/bag/policy/policy_registry.hpp"

namespace makespan::bag {
namespace {

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

struct Desk {
  explicit Desk(Dispatcher kind) : dispatcher(bag, runner, layout, kind, state, board, clock) {}

  Bag bag{{{TaskId{0}, 100, Work{1.0}}}};
  TeamState state{.policy = make_policy("self", {{"chunk_items", 60.0}}),
                  .speeds = SpeedTable(2),
                  .claim_costs = {},
                  .failed = {}};
  TeamLayout layout{{{.threads = 2}}};
  KeepCounter runner{};
  WorkerBoard board{2};
  SystemClock clock{};
  LocalDispatcher dispatcher;
};

TEST(LocalDispatcher, puts_what_is_claimed_on_the_board) {
  Desk desk(Dispatcher::counter);

  auto const grant = desk.dispatcher.claim(0, Seconds{1e-6});

  ASSERT_TRUE(grant);
  EXPECT_EQ(grant->items, (ItemRange{0, 60}));
  EXPECT_FALSE(grant->waited);
  EXPECT_FALSE(grant->stolen);
  EXPECT_EQ(desk.board.not_begun(0), (ItemRange{0, 60}));
  EXPECT_EQ(desk.dispatcher.claims(), 1);
}

TEST(LocalDispatcher, gives_a_tail_when_nothing_is_left_to_claim) {
  Desk desk(Dispatcher::steal);
  ASSERT_TRUE(desk.dispatcher.claim(0, Seconds{}));
  ASSERT_TRUE(desk.dispatcher.claim(1, Seconds{}));
  desk.board.take_front(0, [](ItemRange) { return std::int64_t{20}; });
  desk.dispatcher.finish(0, std::array{ItemRange{0, 20}}, Seconds{2.0}, Seconds{});
  desk.board.begin_piece(0, Work{1.0}, WorkerBoard::Clock::now());
  desk.board.take_all(1);
  desk.dispatcher.finish(1, std::array{ItemRange{60, 100}}, Seconds{4.0}, Seconds{});

  // Both do 10 items a second, and the first has one at hand and 39 or 40 to begin.
  auto const grant = desk.dispatcher.claim(1, Seconds{});

  ASSERT_TRUE(grant);
  EXPECT_TRUE(grant->stolen);
  EXPECT_EQ(grant->items.end, 60);
  EXPECT_GE(grant->items.begin, 39);
  EXPECT_LE(grant->items.begin, 41);
  EXPECT_EQ(desk.board.not_begun(0), (ItemRange{20, grant->items.begin}));
  EXPECT_EQ(desk.dispatcher.steals(), 1);
}

TEST(LocalDispatcher, wakes_who_waits_when_something_comes_back) {
  Desk desk(Dispatcher::counter);
  ASSERT_TRUE(desk.dispatcher.claim(0, Seconds{}));
  ASSERT_TRUE(desk.dispatcher.claim(1, Seconds{}));
  desk.dispatcher.finish(1, std::array{ItemRange{60, 100}}, Seconds{1.0}, Seconds{});
  std::optional<Grant> grant;

  std::jthread waiter([&] { grant = desk.dispatcher.claim(1, Seconds{}); });
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  desk.dispatcher.finish(0, std::array{ItemRange{0, 10}}, Seconds{1.0}, Seconds{});
  desk.dispatcher.give_back(0);
  waiter.join();

  ASSERT_TRUE(grant);
  EXPECT_EQ(grant->items, (ItemRange{10, 60}));
  EXPECT_TRUE(desk.board.not_begun(0).empty());
}

TEST(LocalDispatcher, lets_who_waits_go_when_all_is_done_or_stopped) {
  for (bool const is_stopped : {false, true}) {
    Desk desk(Dispatcher::counter);
    ASSERT_TRUE(desk.dispatcher.claim(0, Seconds{}));
    ASSERT_TRUE(desk.dispatcher.claim(1, Seconds{}));
    desk.dispatcher.finish(1, std::array{ItemRange{60, 100}}, Seconds{1.0}, Seconds{});
    std::jthread const waiter([&] { EXPECT_FALSE(desk.dispatcher.claim(1, Seconds{})); });
    if (is_stopped) {
      desk.dispatcher.stop();
    } else {
      desk.dispatcher.finish(0, std::array{ItemRange{0, 60}}, Seconds{1.0}, Seconds{});
    }
    EXPECT_EQ(desk.dispatcher.complete(), !is_stopped);
  }
}

TEST(LocalDispatcher, keeps_what_comes_first_of_two_and_drops_the_second) {
  Desk desk(Dispatcher::counter);
  ASSERT_TRUE(desk.dispatcher.claim(0, Seconds{}));
  ASSERT_TRUE(desk.dispatcher.claim(1, Seconds{}));
  desk.dispatcher.finish(1, std::array{ItemRange{60, 100}}, Seconds{1.0}, Seconds{});
  desk.dispatcher.take_back(0);
  EXPECT_TRUE(desk.board.not_begun(0).empty());

  auto const again = desk.dispatcher.claim(1, Seconds{});
  ASSERT_TRUE(again);
  EXPECT_EQ(again->items, (ItemRange{0, 60}));
  desk.dispatcher.finish(0, std::array{ItemRange{0, 10}}, Seconds{1.0}, Seconds{});
  desk.dispatcher.finish(1, std::array{ItemRange{0, 30}}, Seconds{1.0}, Seconds{});
  EXPECT_EQ(desk.runner.kept, (std::array{1, 1}));
  EXPECT_EQ(desk.runner.dropped, (std::array{0, 1}));

  // Of what was dropped, items 10 to 29 go to who asks next.
  auto const rest = desk.dispatcher.claim(0, Seconds{});
  ASSERT_TRUE(rest);
  EXPECT_EQ(rest->items, (ItemRange{10, 30}));
  desk.dispatcher.finish(0, std::array{ItemRange{10, 30}}, Seconds{1.0}, Seconds{});
  EXPECT_FALSE(desk.dispatcher.complete());
  desk.dispatcher.finish(1, std::array{ItemRange{30, 60}}, Seconds{1.0}, Seconds{});
  EXPECT_TRUE(desk.dispatcher.complete());
}

}  // namespace
}  // namespace makespan::bag
