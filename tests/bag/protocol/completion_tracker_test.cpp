// SPDX-License-Identifier: Apache-2.0
// Goal: the tracker hands out what was lost, and nothing that a worker holds; it ends when every
// item is finished, or no worker is left. Method: single steps, and random runs in which workers
// claim by themselves, take tails, die with what they hold and report late.
#include "makespan/bag/protocol/completion_tracker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <vector>

#include "makespan/bag/policy/policy_registry.hpp"

namespace makespan::bag {
namespace {

Bag one_task(std::int64_t items) {
  return Bag({{TaskId{0}, items, Work{1.0}}});
}

WorkerFacts worker(int index) {
  return {.index = index,
          .measured = Measured::yes,
          .speed = Speed{1.0},
          .speed_total = Speed{3.0},
          .claim_cost = Seconds{1e-9}};
}

struct Server {
  explicit Server(std::int64_t items, int workers, FirstClaims first = FirstClaims::by_workers,
                  std::string_view policy_name = "self")
      : bag(one_task(items)),
        policy(make_policy(policy_name, {})),
        tracker(bag, std::vector<Mode>(static_cast<std::size_t>(workers), Mode::automatic), *policy,
                first) {}

  bool finish(std::int64_t begin, std::int64_t end) {
    return tracker.finish(std::array{ItemRange{begin, end}});
  }

  Bag bag;
  std::unique_ptr<ChunkPolicy> policy;
  CompletionTracker tracker;
};

TEST(CompletionTracker, lets_wait_while_a_worker_may_hold_items) {
  Server server(10, 2);
  EXPECT_TRUE(server.finish(0, 5));

  EXPECT_EQ(server.tracker.ask(worker(0)).order, Order::wait);
  EXPECT_EQ(server.tracker.ask(worker(0)).order, Order::wait);

  EXPECT_TRUE(server.finish(5, 10));
  EXPECT_TRUE(server.tracker.complete());
  EXPECT_EQ(server.tracker.ask(worker(0)).order, Order::leave);
  EXPECT_EQ(server.tracker.ask(worker(1)).order, Order::leave);
}

TEST(CompletionTracker, hands_out_what_was_lost_once_all_wait) {
  Server server(10, 3);
  EXPECT_TRUE(server.finish(0, 4));
  EXPECT_TRUE(server.finish(6, 9));
  EXPECT_EQ(server.tracker.ask(worker(0)).order, Order::wait);
  EXPECT_EQ(server.tracker.ask(worker(1)).order, Order::wait);

  server.tracker.retire(2);

  std::vector<ItemRange> handed;
  for (int turn = 0; turn < 3; ++turn) {
    ClaimActions const answer = server.tracker.ask(worker(turn % 2));
    ASSERT_EQ(answer.order, Order::run);
    handed.push_back(answer.items);
  }
  EXPECT_EQ(handed, (std::vector<ItemRange>{{4, 5}, {5, 6}, {9, 10}}));
  EXPECT_EQ(server.tracker.ask(worker(0)).order, Order::wait);
  for (ItemRange const items : handed) EXPECT_TRUE(server.finish(items.begin, items.end));
  EXPECT_TRUE(server.tracker.complete());
}

// Worker 1 takes too long, and what it holds is handed out to worker 0, item by item; then it
// delivers some of the rest.
TEST(CompletionTracker, hands_out_nothing_again_that_was_delivered_late) {
  Server server(10, 2);
  EXPECT_TRUE(server.finish(0, 4));
  server.tracker.take_back(1);
  EXPECT_EQ(server.tracker.ask(worker(0)).items, (ItemRange{4, 5}));

  EXPECT_TRUE(server.finish(5, 7));
  EXPECT_TRUE(server.finish(8, 9));

  for (ItemRange const rest : {ItemRange{4, 5}, ItemRange{7, 8}, ItemRange{9, 10}}) {
    if (rest.begin > 4) {
      EXPECT_EQ(server.tracker.ask(worker(0)).items, rest);
    }
    EXPECT_TRUE(server.finish(rest.begin, rest.end));
  }
  EXPECT_TRUE(server.tracker.complete());
}

// All that was lost is delivered late but for what another worker has taken and lost: found at
// once.
TEST(CompletionTracker, looks_for_what_is_lost_where_the_rest_came_late) {
  Server server(4, 3);
  server.tracker.take_back(1);
  server.tracker.take_back(2);
  EXPECT_EQ(server.tracker.ask(worker(0)).items, (ItemRange{0, 1}));
  EXPECT_TRUE(server.finish(1, 4));

  server.tracker.retire(0);

  ClaimActions const answer = server.tracker.ask(worker(1));
  EXPECT_EQ(answer.order, Order::run);
  EXPECT_EQ(answer.items, (ItemRange{0, 1}));
}

TEST(CompletionTracker, knows_a_thief_for_one_that_holds_something) {
  Server server(10, 2);
  EXPECT_TRUE(server.finish(0, 5));
  EXPECT_EQ(server.tracker.ask(worker(0)).order, Order::wait);
  EXPECT_TRUE(server.tracker.may_steal(0, 1));

  EXPECT_EQ(server.tracker.ask(worker(1)).order, Order::wait);

  EXPECT_TRUE(server.finish(5, 10));
  EXPECT_EQ(server.tracker.ask(worker(0)).order, Order::leave);
}

TEST(CompletionTracker, lets_no_worker_take_what_the_retired_held) {
  Server server(10, 3);
  EXPECT_EQ(server.tracker.ask(worker(0)).order, Order::wait);
  EXPECT_EQ(server.tracker.ask(worker(1)).order, Order::wait);
  EXPECT_TRUE(server.tracker.may_use_pool(1));
  EXPECT_EQ(server.tracker.ask(worker(1)).order, Order::wait);

  server.tracker.retire(2);

  EXPECT_FALSE(server.tracker.may_steal(0, 2));
  EXPECT_FALSE(server.tracker.may_steal(2, 0));
  EXPECT_EQ(server.tracker.ask(worker(1)).order,
            Order::run);  // so those that were refused still wait
  EXPECT_FALSE(server.tracker.may_use_pool(0));
  EXPECT_TRUE(server.tracker.may_steal(0, 1));
}

TEST(CompletionTracker, refuses_items_that_are_finished_and_takes_nothing_of_such) {
  Server server(10, 2);
  EXPECT_TRUE(server.finish(2, 4));

  EXPECT_FALSE(server.finish(3, 6));

  EXPECT_EQ(server.tracker.items_finished(), 2);
  EXPECT_FALSE(server.tracker.finish(std::array{ItemRange{6, 7}, ItemRange{2, 3}}));
  EXPECT_EQ(server.tracker.items_finished(), 2);
}

TEST(CompletionTracker, hands_out_all_for_a_policy_that_must_see_all) {
  Server server(100, 2, FirstClaims::by_tracker, "fac2");
  std::int64_t claimed = 0;
  int claims = 0;
  for (int turn = 0;; ++turn) {
    ClaimActions const answer = server.tracker.ask(worker(turn % 2));
    if (answer.order != Order::run) break;
    EXPECT_EQ(answer.items.begin, claimed);
    claimed = answer.items.end;
    ++claims;
  }
  EXPECT_EQ(claimed, 100);
  EXPECT_GT(claims, 4);
}

TEST(CompletionTracker, hands_out_nothing_after_a_stop_or_to_the_retired) {
  Server server(100, 2, FirstClaims::by_tracker);
  server.tracker.retire(0);
  EXPECT_EQ(server.tracker.ask(worker(0)).order, Order::leave);
  EXPECT_EQ(server.tracker.ask(worker(1)).order, Order::run);

  server.tracker.stop();

  EXPECT_EQ(server.tracker.ask(worker(1)).order, Order::leave);
  server.tracker.retire(1);
  EXPECT_FALSE(server.tracker.anyone_left());
}

TEST(CompletionTracker, of_an_empty_bag_lets_all_workers_leave) {
  Server server(0, 1);

  EXPECT_TRUE(server.tracker.complete());
  EXPECT_EQ(server.tracker.ask(worker(0)).order, Order::leave);
}

// Workers as images have them: what they hold is not known to the tracker, and can be seen by
// thieves after they have died; the tracker hears of deaths late. The crowd shares a pool.
class Crowd {
 public:
  Crowd(std::int64_t items, int workers, unsigned seed)
      : server_(items, workers, seed % 2 == 0 ? FirstClaims::by_workers : FirstClaims::by_tracker),
        random_(seed),
        holds_(static_cast<std::size_t>(workers)),
        is_dead_(holds_.size()),
        has_asked_(holds_.size()),
        shares_(holds_.size()),
        cursor_(seed % 2 == 0 ? 0 : items),
        runs_(static_cast<std::size_t>(items)) {}

  void run() {
    for (int step = 0; !server_.tracker.complete() && server_.tracker.anyone_left(); ++step) {
      ASSERT_LT(step, 200'000) << "it does not end";
      act(any(static_cast<int>(holds_.size())));
    }
    EXPECT_TRUE(server_.tracker.complete());
    for (int const finished : runs_) EXPECT_EQ(finished, 1);
  }

 private:
  int any(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random_); }
  int alive() { return static_cast<int>(std::ranges::count(is_dead_, false)); }

  void act(int who) {
    auto const at = static_cast<std::size_t>(who);
    ItemRange& held = holds_[at];
    if (is_dead_[at]) {
      if (any(20) == 0) server_.tracker.retire(who);
      return;
    }
    if (any(60) == 0 && alive() > 1) {
      is_dead_[at] = true;
    } else if (shares_[at]) {
      shares_[at] = false;
      if (pool_.empty()) share(held);
    } else if (!held.empty()) {
      work(held);
    } else {
      claim(who, held);
    }
  }

  // Some of it, told at once.
  void work(ItemRange& held) {
    ItemRange const done{held.begin, held.begin + 1 + any(static_cast<int>(held.items()))};
    held.begin = done.end;
    ASSERT_TRUE(server_.tracker.finish(std::array{done}));
    for (std::int64_t item = done.begin; item < done.end; ++item) {
      ++runs_[static_cast<std::size_t>(item)];
    }
  }

  void claim(int who, ItemRange& held) {
    auto const at = static_cast<std::size_t>(who);
    if (!has_asked_[at] && take_from_pool(held)) return;
    if (cursor_ < server_.bag.items()) {
      held = {cursor_, std::min<std::int64_t>(cursor_ + 1 + any(5), server_.bag.items())};
      cursor_ = held.end;
      shares_[at] = true;
      return;
    }
    has_asked_[at] = true;
    ClaimActions const answer = server_.tracker.ask(worker(who));
    if (answer.order == Order::run) held = answer.items;
    if (answer.order != Order::wait || any(2) == 0) return;
    if (!pool_.empty() && server_.tracker.may_use_pool(who) && take_from_pool(held)) return;
    auto const victim = static_cast<std::size_t>(any(static_cast<int>(holds_.size())));
    if (holds_[victim].items() < 2 || !server_.tracker.may_steal(who, static_cast<int>(victim))) {
      return;
    }
    held = {holds_[victim].begin + holds_[victim].items() / 2, holds_[victim].end};
    holds_[victim].end = held.begin;
  }

  void share(ItemRange& held) {
    pool_ = {held.begin + (held.items() + 1) / 2, held.end};
    held.end = pool_.begin;
  }

  bool take_from_pool(ItemRange& held) {
    if (pool_.empty()) return false;
    held = {pool_.begin, pool_.begin + 1};
    pool_.begin = held.end;
    return true;
  }

  Server server_;
  std::mt19937 random_;
  std::vector<ItemRange> holds_;  // by worker
  std::vector<bool> is_dead_;
  std::vector<bool> has_asked_;
  std::vector<bool> shares_;  // next, with the pool, what it has just claimed
  ItemRange pool_{};
  std::int64_t cursor_;
  std::vector<int> runs_;  // by item: how often it was finished
};

TEST(CompletionTracker, finishes_every_item_once_while_workers_die_and_steal) {
  for (unsigned seed = 0; seed < 20'000; ++seed) {
    SCOPED_TRACE(seed);
    Crowd(1 + seed % 150, 1 + static_cast<int>(seed % 7), seed).run();
  }
}

}  // namespace
}  // namespace makespan::bag
