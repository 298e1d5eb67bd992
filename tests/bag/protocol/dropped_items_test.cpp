// SPDX-License-Identifier: Apache-2.0
// Goal: if two workers ran the same items, the second result is dropped, and items that are still
// missing are handed out again. Method: a short story, told event by event.
#include <gtest/gtest.h>

#include <array>

#include "makespan/bag/policy/self_scheduling.hpp"
#include "makespan/bag/protocol/claim_machine.hpp"

namespace makespan::bag {
namespace {

// Two workers and three tasks: items 0-2, 3-6 and 7-11; every claim wants 7 items.
class DroppedItems : public testing::Test {
 protected:
  ClaimActions ask(int worker) { return machine.step(Ask{worker}); }
  void finish(int worker, ItemRange items) { machine.step(Finish{worker, items, Seconds{0.5}}); }

 private:
  Bag bag_{{{TaskId{0}, 3, Work{3.0}}, {TaskId{1}, 4, Work{2.0}}, {TaskId{2}, 5, Work{1.0}}}};
  SelfSchedulingPolicy policy_{OptionValues{{"chunk_items", 7.0}}};
  SpeedTable speeds_{2};

 protected:
  ClaimMachine machine{bag_, Mode::automatic, policy_, speeds_};
};

// Worker 0 is given up and comes back; worker 1 has run what it held, and more.
TEST_F(DroppedItems, hands_out_again_what_is_dropped_and_not_finished) {
  EXPECT_EQ(ask(0).items, (ItemRange{0, 7}));
  machine.step(Fail{0});
  EXPECT_EQ(ask(1).items, (ItemRange{0, 7}));
  EXPECT_TRUE(machine.are_new(std::array{ItemRange{0, 3}}));
  finish(1, {0, 3});

  EXPECT_FALSE(machine.are_new(std::array{ItemRange{2, 5}}));
  machine.step(Drop{0, {2, 5}});
  EXPECT_EQ(machine.items_finished(), 3);
  EXPECT_EQ(ask(0).items, (ItemRange{3, 5})) << "what of it is not finished";

  EXPECT_EQ(machine.held(1), (ItemRange{3, 7}));
  finish(0, {3, 5});
  machine.step(Drop{1, {3, 7}});
  EXPECT_TRUE(machine.held(1).empty());
  EXPECT_EQ(ask(1).items, (ItemRange{5, 7}));
  finish(1, {5, 7});
  EXPECT_EQ(ask(0).items, (ItemRange{7, 12}));
  finish(0, {7, 12});
  EXPECT_TRUE(machine.complete());
}

}  // namespace
}  // namespace makespan::bag
