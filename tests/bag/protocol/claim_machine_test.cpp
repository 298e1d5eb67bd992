// SPDX-License-Identifier: Apache-2.0
// Goal: every event has the answer that the protocol promises. Method: short stories told event by
// event, on bags small enough to check by hand. Random stories are in
// claim_machine_random_test.cpp.
#include "makespan/bag/protocol/claim_machine.hpp"

#include <gtest/gtest.h>

#include "makespan/bag/policy/self_scheduling.hpp"
#include "makespan/base/contracts.hpp"

namespace makespan::bag {
namespace {

// A machine over three tasks: items 0-2, 3-6 and 7-11; every claim wants `chunk_items`.
class Story {
 public:
  explicit Story(Mode mode, double chunk_items = 1.0, int workers = 2)
      : policy_(OptionValues{{"chunk_items", chunk_items}}),
        speeds_(workers),
        machine(bag_, mode, policy_, speeds_) {}

  ClaimActions ask(int worker) { return machine.step(Ask{worker}); }
  ClaimActions finish(int worker, ItemRange items) {
    return machine.step(Finish{worker, items, Seconds{0.5}});
  }
  ClaimActions fail(int worker) { return machine.step(Fail{worker}); }
  void steal(int thief, int victim, ItemRange items) {
    EXPECT_FALSE(machine.step(Steal{thief, victim, items}).wake);
  }

  // Asks, expects to be told to run, and finishes.
  ItemRange run_next(int worker) {
    ClaimActions const actions = ask(worker);
    EXPECT_EQ(actions.order, Order::run);
    finish(worker, actions.items);
    return actions.items;
  }

 private:
  Bag bag_{{{TaskId{0}, 3, Work{3.0}}, {TaskId{1}, 4, Work{2.0}}, {TaskId{2}, 5, Work{1.0}}}};
  SelfSchedulingPolicy policy_;
  SpeedTable speeds_;

 public:
  ClaimMachine machine;
};

TEST(ClaimMachine, hands_items_out_in_order_and_once) {
  Story story(Mode::automatic, 5.0);

  // Snapped back to ends of tasks: 0-4 to 0-2, 3-7 to 3-6, 7-11.
  EXPECT_EQ(story.ask(0).items, (ItemRange{0, 3}));
  EXPECT_EQ(story.ask(1).items, (ItemRange{3, 7}));
  story.finish(0, {0, 3});
  EXPECT_EQ(story.ask(0).items, (ItemRange{7, 12}));
  EXPECT_EQ(story.machine.claims(), 3);
}

TEST(ClaimMachine, lets_the_idle_wait_until_the_last_item_is_finished) {
  Story story(Mode::automatic, 12.0);
  ClaimActions const all = story.ask(0);

  EXPECT_EQ(story.ask(1).order, Order::wait);
  EXPECT_FALSE(story.machine.complete());
  EXPECT_TRUE(story.finish(0, all.items).wake);
  EXPECT_TRUE(story.machine.complete());
  EXPECT_EQ(story.ask(0).order, Order::leave);
  EXPECT_EQ(story.ask(1).order, Order::leave);
}

TEST(ClaimMachine, wakes_no_worker_when_none_waits) {
  Story story(Mode::automatic, 12.0);
  ClaimActions const all = story.ask(0);

  EXPECT_FALSE(story.finish(0, all.items).wake);
}

TEST(ClaimMachine, is_complete_at_once_on_an_empty_bag) {
  Bag const nothing({});
  SelfSchedulingPolicy policy{OptionValues{}};
  SpeedTable speeds(1);
  for (ModeEntry const& entry : modes()) {
    ClaimMachine machine(nothing, entry.mode, policy, speeds);

    EXPECT_TRUE(machine.complete());
    EXPECT_EQ(machine.step(Ask{0}).order, Order::leave);
  }
}

TEST(ClaimMachine, mo_hands_out_whole_tasks) {
  Story story(Mode::mo, 1.0);

  EXPECT_EQ(story.run_next(0), (ItemRange{0, 3}));
  EXPECT_EQ(story.run_next(1), (ItemRange{3, 7}));
  EXPECT_EQ(story.run_next(0), (ItemRange{7, 12}));
  EXPECT_TRUE(story.machine.complete());
}

TEST(ClaimMachine, hands_out_again_what_a_failed_worker_held) {
  Story story(Mode::automatic, 2.0);
  story.ask(0);
  story.run_next(1);

  story.fail(0);

  EXPECT_TRUE(story.machine.held(0).empty());
  EXPECT_EQ(story.run_next(1), (ItemRange{0, 2}));
  EXPECT_EQ(story.run_next(1), (ItemRange{3, 5}));
}

TEST(ClaimMachine, hands_out_again_only_what_was_not_finished) {
  Story story(Mode::automatic, 3.0);
  story.ask(0);
  story.finish(0, {0, 1});
  EXPECT_EQ(story.machine.held(0), (ItemRange{1, 3}));

  story.fail(0);

  EXPECT_EQ(story.run_next(1), (ItemRange{1, 3}));
}

TEST(ClaimMachine, may_cut_a_returned_range_in_smaller_pieces) {
  Story story(Mode::automatic, 3.0);
  story.ask(0);
  story.finish(0, {0, 1});
  story.ask(1);
  story.fail(1);
  story.fail(0);

  EXPECT_EQ(story.run_next(1), (ItemRange{1, 3}));
  EXPECT_EQ(story.run_next(1), (ItemRange{3, 6}));
}

TEST(ClaimMachine, hands_out_again_the_gaps_between_what_was_finished) {
  Story story(Mode::automatic, 12.0);
  story.ask(0);
  story.finish(0, {0, 2});
  story.finish(0, {4, 6});
  EXPECT_EQ(story.machine.held(0), (ItemRange{2, 12}));
  story.fail(0);

  // Cut at the ends of tasks, as any claim.
  for (ItemRange const gap : {ItemRange{2, 3}, ItemRange{3, 4}, ItemRange{6, 12}})
    EXPECT_EQ(story.run_next(1), gap);
  EXPECT_TRUE(story.machine.complete());
}

TEST(ClaimMachine, moves_the_tail_of_a_chunk_to_a_thief) {
  Story story(Mode::automatic, 12.0);
  story.ask(0);
  ASSERT_EQ(story.ask(1).order, Order::wait);

  story.steal(1, 0, {8, 12});

  EXPECT_EQ(story.machine.held(0), (ItemRange{0, 8}));
  EXPECT_EQ(story.machine.held(1), (ItemRange{8, 12}));
  EXPECT_EQ(story.machine.steals(), 1);
  EXPECT_EQ(story.machine.claims(), 1);
  story.finish(1, {8, 12});
  EXPECT_TRUE(story.finish(0, {0, 8}).wake);
  EXPECT_TRUE(story.machine.complete());
}

TEST(ClaimMachine, hands_out_again_what_a_failed_thief_took) {
  Story story(Mode::automatic, 12.0, 3);
  story.ask(0);
  story.steal(1, 0, {8, 12});
  story.finish(1, {8, 9});
  ASSERT_EQ(story.ask(2).order, Order::wait);

  EXPECT_TRUE(story.fail(1).wake);

  EXPECT_EQ(story.ask(2).items, (ItemRange{9, 12}));
}

TEST(ClaimMachine, lets_a_victim_ask_again_when_all_it_held_was_taken) {
  Story story(Mode::automatic, 7.0);
  story.ask(0);
  story.steal(1, 0, {0, 7});

  EXPECT_EQ(story.ask(0).items, (ItemRange{7, 12}));
}

TEST(ClaimMachine, expects_steals_of_tails_by_those_who_hold_nothing) {
  Story story(Mode::automatic, 7.0, 3);
  story.ask(0);
  story.ask(1);

  EXPECT_THROW(story.steal(2, 0, {3, 6}), ContractViolated);
  EXPECT_THROW(story.steal(2, 0, {7, 7}), ContractViolated);
  EXPECT_THROW(story.steal(1, 0, {3, 7}), ContractViolated);
  EXPECT_THROW(story.steal(2, 1, {6, 12}), ContractViolated);
}

TEST(ClaimMachine, wakes_those_who_wait_when_a_worker_fails) {
  Story story(Mode::automatic, 12.0);
  story.ask(0);
  story.ask(1);

  EXPECT_TRUE(story.fail(0).wake);
  EXPECT_EQ(story.ask(1).items, (ItemRange{0, 12}));
}

TEST(ClaimMachine, takes_a_late_finish_of_a_worker_given_up_too_early) {
  Story story(Mode::automatic, 3.0);
  ClaimActions const slow = story.ask(0);
  story.fail(0);

  story.finish(0, slow.items);

  // Items 0-2 are finished after all, so no worker runs them again.
  EXPECT_EQ(story.ask(1).items, (ItemRange{3, 6}));
  EXPECT_EQ(story.machine.items_finished(), 3);
}

TEST(ClaimMachine, counts_items_finished_twice_once) {
  Story story(Mode::automatic, 12.0);
  ClaimActions const slow = story.ask(0);
  story.fail(0);
  ClaimActions const again = story.ask(1);
  ASSERT_EQ(again.items, slow.items);

  story.finish(1, again.items);
  story.finish(0, slow.items);

  EXPECT_EQ(story.machine.items_finished(), 12);
  EXPECT_TRUE(story.machine.complete());
}

TEST(ClaimMachine, is_complete_by_a_late_finish_while_another_still_runs_the_same) {
  Story story(Mode::automatic, 12.0, 3);
  ClaimActions const slow = story.ask(0);
  story.fail(0);
  story.ask(1);
  story.ask(2);

  EXPECT_TRUE(story.finish(0, slow.items).wake);
  EXPECT_EQ(story.ask(2).order, Order::leave);
}

TEST(ClaimMachine, lets_a_failed_worker_come_back) {
  Story story(Mode::automatic, 2.0);
  story.ask(0);
  story.fail(0);
  EXPECT_FALSE(story.fail(0).wake);

  EXPECT_EQ(story.ask(0).items, (ItemRange{0, 2}));
}

TEST(ClaimMachine, hands_out_nothing_after_a_stop) {
  Story story(Mode::automatic, 12.0);
  ClaimActions const first = story.ask(0);
  EXPECT_EQ(story.ask(1).order, Order::wait);

  EXPECT_TRUE(story.machine.step(Stop{}).wake);

  EXPECT_EQ(story.ask(1).order, Order::leave);
  story.finish(0, {first.items.begin, 3});
  story.fail(0);
  EXPECT_EQ(story.ask(0).order, Order::leave);
  EXPECT_FALSE(story.machine.complete());
  EXPECT_EQ(story.machine.items_finished(), 3);
}

// Tells what it was asked and told.
class Listener final : public ChunkPolicy {
 public:
  ChunkSize next_chunk(ChunkRequest const& request) override {
    requests.push_back(request);
    return ChunkSize::of_work(Work{4.0});
  }
  void chunk_finished(ChunkReport const& report) override { reports.push_back(report); }

  std::vector<ChunkRequest> requests;
  std::vector<ChunkReport> reports;
};

TEST(ClaimMachine, tells_the_policy_what_it_may_know) {
  Bag const bag({{TaskId{0}, 3, Work{3.0}}, {TaskId{1}, 6, Work{1.0}}});
  Listener policy;
  SpeedTable speeds(2);
  ClaimMachine machine(bag, Mode::automatic, policy, speeds);

  machine.step(Ask{0, Seconds{1e-6}});
  machine.step(Finish{0, {0, 1}, Seconds{1.5}});
  machine.step(Ask{1, Seconds{2e-6}});

  ASSERT_EQ(policy.requests.size(), 2U);
  ChunkRequest const& first = policy.requests[0];
  EXPECT_EQ(first.loop.items, 9);
  EXPECT_EQ(first.loop.work, Work{15.0});
  EXPECT_EQ(first.loop.workers, 2);
  EXPECT_DOUBLE_EQ(first.loop.item_cost_spread, bag.item_cost_spread());
  EXPECT_EQ(first.step, 0);
  EXPECT_EQ(first.items_left, 9);
  EXPECT_EQ(first.work_left, Work{15.0});
  EXPECT_EQ(first.worker.measured, Measured::no);
  ChunkRequest const& second = policy.requests[1];
  EXPECT_EQ(second.step, 1);
  EXPECT_EQ(second.items_left, 8);
  EXPECT_EQ(second.work_left, Work{12.0});
  EXPECT_EQ(second.worker.index, 1);
  EXPECT_EQ(second.worker.measured, Measured::no);
  EXPECT_EQ(second.worker.speed_total, Speed{4.0});
  EXPECT_EQ(second.worker.claim_cost, Seconds{2e-6});
}

// A bag of one task, a policy that listens, and two workers that hold items 0-3 and 4-7.
struct Told : testing::Test {
  Bag bag{{{TaskId{0}, 8, Work{1.0}}}};
  Listener policy;
  SpeedTable speeds{3};
  ClaimMachine machine{bag, Mode::automatic, policy, speeds};

  void SetUp() override {
    machine.step(Ask{0});
    machine.step(Ask{1});
  }
};

TEST_F(Told, of_a_chunk_when_all_of_it_is_finished) {
  machine.step(Finish{1, {4, 7}, Seconds{1.5}, Seconds{0.25}});
  EXPECT_TRUE(policy.reports.empty());
  machine.step(Finish{1, {7, 8}, Seconds{0.5}});

  ASSERT_EQ(policy.reports.size(), 1U);
  ChunkReport const& report = policy.reports[0];
  EXPECT_EQ(report.worker, 1);
  EXPECT_EQ(report.step, 1);
  EXPECT_EQ(report.items, 4);
  EXPECT_EQ(report.work, Work{4.0});
  EXPECT_EQ(report.computing, Seconds{2.0});
  EXPECT_EQ(report.with_claim, Seconds{2.25});
}

TEST_F(Told, of_what_a_worker_finished_before_it_failed) {
  machine.step(Finish{0, {0, 3}, Seconds{1.0}});
  machine.step(Fail{0});

  ASSERT_EQ(policy.reports.size(), 1U);
  EXPECT_EQ(policy.reports[0].items, 3);
}

TEST_F(Told, of_both_parts_of_a_chunk_that_was_divided) {
  machine.step(Steal{2, 1, {6, 8}});
  machine.step(Finish{2, {6, 8}, Seconds{1.0}});
  machine.step(Finish{1, {4, 6}, Seconds{2.0}});

  ASSERT_EQ(policy.reports.size(), 2U);
  EXPECT_EQ(policy.reports[0].worker, 2);
  EXPECT_EQ(policy.reports[0].step, 1);
  EXPECT_EQ(policy.reports[0].items, 2);
  EXPECT_EQ(policy.reports[1].worker, 1);
  EXPECT_EQ(policy.reports[1].items, 2);
}

TEST_F(Told, nothing_of_what_is_no_longer_held) {
  machine.step(Fail{0});
  machine.step(Finish{0, {0, 4}, Seconds{1.0}});

  EXPECT_TRUE(policy.reports.empty());
  EXPECT_EQ(machine.items_finished(), 4);
}

TEST(ClaimMachine, offers_returned_items_to_the_policy_as_work_left) {
  Bag const bag({{TaskId{0}, 9, Work{2.0}}});
  Listener policy;
  SpeedTable speeds(2);
  ClaimMachine machine(bag, Mode::automatic, policy, speeds);
  machine.step(Ask{0});
  machine.step(Fail{0});

  EXPECT_EQ(machine.step(Ask{1}).items, (ItemRange{0, 2}));

  EXPECT_EQ(policy.requests.back().items_left, 9);
  EXPECT_EQ(policy.requests.back().work_left, Work{18.0});
}

TEST(ClaimMachine, expects_one_claim_at_a_time_of_each_worker) {
  Story story(Mode::automatic);
  story.ask(0);

  EXPECT_THROW(story.ask(0), ContractViolated);
}

TEST(ClaimMachine, expects_finishes_of_what_was_handed_out) {
  Story story(Mode::automatic);
  story.ask(0);

  EXPECT_THROW(story.finish(0, {0, 2}), ContractViolated);
  EXPECT_THROW(story.ask(2), ContractViolated);
}

}  // namespace
}  // namespace makespan::bag
