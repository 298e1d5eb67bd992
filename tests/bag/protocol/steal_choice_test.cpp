// SPDX-License-Identifier: Apache-2.0
// Goal: a thief takes what makes it and its victim end together, from the one that would end last.
// Method: cases worked out by hand.
#include "makespan/bag/protocol/steal_choice.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace makespan::bag {
namespace {

// Items 0-99 of cost 1, and 100-109 of cost 0.5.
Bag two_tasks() {
  return Bag({{TaskId{0}, 100, Work{1.0}}, {TaskId{1}, 10, Work{0.5}}});
}

std::optional<StealChoice> choose(std::vector<WorkerView> const& workers, Thief const& thief) {
  return choose_steal(two_tasks(), workers, thief);
}

WorkerView idle(double speed) {
  return {.speed = Speed{speed}};
}
// At the very end of an item.
WorkerView busy(ItemRange not_begun, double speed) {
  return {.not_begun = not_begun,
          .begun = Work{1e-9},
          .since = Seconds{1e-9 / speed},
          .speed = Speed{speed}};
}

TEST(TimeLeft, counts_what_is_begun_and_what_is_not) {
  WorkerView const view{.begun = Work{3.0}, .since = Seconds{0.5}, .speed = Speed{2.0}};
  EXPECT_EQ(time_left(view, Work{4.0}), Seconds{1.5 - 0.5 + 2.0});
}

TEST(TimeLeft, believes_an_item_at_hand_that_takes_longer) {
  // 1 of work has taken 4 s already: the speed is 1/4 at most, and the item ends now at best.
  WorkerView const view{.begun = Work{1.0}, .since = Seconds{4.0}, .speed = Speed{1.0}};
  EXPECT_EQ(time_left(view, Work{2.0}), Seconds{8.0});
}

TEST(TimeLeft, is_forever_when_nothing_is_known) {
  EXPECT_EQ(time_left({}, Work{1.0}).value(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(time_left({}, Work{}), Seconds{});
}

TEST(ChooseSteal, halves_between_equals) {
  auto const choice = choose({idle(1.0), busy({0, 40}, 1.0)}, {.worker = 0, .speed = Speed{1.0}});
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->victim, 1);
  EXPECT_EQ(choice->items, (ItemRange{20, 40}));
}

TEST(ChooseSteal, shares_by_speed) {
  auto const choice = choose({idle(3.0), busy({0, 40}, 1.0)}, {.worker = 0, .speed = Speed{3.0}});
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->items, (ItemRange{10, 40}));
}

TEST(ChooseSteal, counts_what_the_thief_pays_and_what_the_victim_has_begun) {
  // (20 - x) + 6 = x + 2 has x = 12.
  WorkerView victim = busy({0, 20}, 1.0);
  victim.begun = Work{8.0};
  victim.since = Seconds{2.0};
  auto const choice =
      choose({idle(1.0), victim}, {.worker = 0, .speed = Speed{1.0}, .claim_cost = Seconds{2.0}});
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->items, (ItemRange{8, 20}));
}

TEST(ChooseSteal, counts_cost_not_items) {
  // 95-109: five items of 1 and ten of 0.5. Half of the work is the ten.
  auto const choice = choose({idle(1.0), busy({95, 110}, 1.0)}, {.worker = 0, .speed = Speed{1.0}});
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->items, (ItemRange{100, 110}));
}

TEST(ChooseSteal, takes_from_the_one_that_would_end_last) {
  auto const choice = choose({busy({0, 40}, 10.0), busy({40, 50}, 1.0), idle(1.0)},
                             {.worker = 2, .speed = Speed{1.0}});
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->victim, 1);
  EXPECT_EQ(choice->items, (ItemRange{45, 50}));
}

TEST(ChooseSteal, takes_an_only_item_from_one_that_is_slow) {
  WorkerView slow = busy({40, 41}, 1.0);
  slow.begun = Work{1.0};
  slow.since = Seconds{5.0};
  auto const choice = choose({slow, idle(1.0)}, {.worker = 1, .speed = Speed{1.0}});
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->items, (ItemRange{40, 41}));
}

TEST(ChooseSteal, leaves_what_would_not_end_earlier) {
  // The victim does its item in 1 s, the thief would need 2.
  EXPECT_FALSE(choose({busy({0, 1}, 1.0), idle(0.5)}, {.worker = 1, .speed = Speed{0.5}}));
  EXPECT_FALSE(choose({busy({0, 2}, 1.0), idle(1.0)},
                      {.worker = 1, .speed = Speed{1.0}, .claim_cost = Seconds{1.5}}));
}

TEST(ChooseSteal, finds_nothing_where_there_is_nothing) {
  EXPECT_FALSE(choose({idle(1.0), idle(1.0)}, {.worker = 0, .speed = Speed{1.0}}));
  // What the thief itself has published is not for it.
  EXPECT_FALSE(choose({busy({0, 40}, 1.0), idle(1.0)}, {.worker = 0, .speed = Speed{1.0}}));
}

TEST(ChooseSteal, leaves_an_item_to_one_that_is_about_to_begin) {
  WorkerView fresh{.not_begun = {0, 4}, .speed = Speed{1e-3}};
  auto const choice = choose({fresh, idle(1.0)}, {.worker = 1, .speed = Speed{1.0}});
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->items, (ItemRange{1, 4}));
  fresh.not_begun = {0, 1};
  EXPECT_FALSE(choose({fresh, idle(1.0)}, {.worker = 1, .speed = Speed{1.0}}));
}

TEST(ChooseSteal, of_unknown_speed_takes_one_item) {
  auto const choice = choose({busy({0, 40}, 1.0), {}}, {.worker = 1});
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->items, (ItemRange{39, 40}));
}

TEST(ChooseSteal, takes_from_a_victim_of_unknown_speed_what_it_has_not_begun) {
  // It is at its first item, of cost 1, for 9 s by now: 1/9 of the thief's speed at most.
  WorkerView const first{.not_begun = {1, 11}, .begun = Work{1.0}, .since = Seconds{9.0}};
  auto const choice = choose({first, idle(1.0)}, {.worker = 1, .speed = Speed{1.0}});
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->items, (ItemRange{2, 11}));
}

// Whatever the victim holds, what is taken is a tail of it, and not empty.
TEST(ChooseSteal, takes_a_tail_of_any_range) {
  for (std::int64_t begin = 0; begin < 110; begin += 3) {
    for (std::int64_t end = begin + 1; end <= 110; ++end) {
      for (double const speed : {0.0, 0.1, 1.0, 7.0}) {
        for (bool const whole : {false, true}) {
          auto const choice = choose({busy({begin, end}, 1.0), idle(speed)},
                                     {.worker = 1, .speed = Speed{speed}, .whole_tasks = whole});
          // The victim ends one item while a thief that is as fast, or of unknown speed, does one.
          if (!whole && end - begin > 1 && speed != 0.1) {
            EXPECT_TRUE(choice) << begin << ' ' << end;
          }
          if (!choice) continue;
          EXPECT_LT(choice->items.begin, choice->items.end);
          EXPECT_GE(choice->items.begin, begin);
          EXPECT_EQ(choice->items.end, end);
        }
      }
    }
  }
}

TEST(ChooseSteal, takes_whole_tasks_where_only_these_will_do) {
  Thief const thief{.worker = 1, .speed = Speed{1.0}, .whole_tasks = true};
  auto const choice = choose({busy({0, 110}, 1.0), idle(1.0)}, thief);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->items, (ItemRange{100, 110}));
  EXPECT_FALSE(choose({busy({0, 100}, 1.0), idle(1.0)}, thief));
  // A tail that was cut from before ends inside a task.
  EXPECT_FALSE(choose({busy({0, 60}, 1.0), idle(1.0)}, thief));
}

}  // namespace
}  // namespace makespan::bag
