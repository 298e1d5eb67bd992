// SPDX-License-Identifier: Apache-2.0
// Goal: both ends keep their order, the limits hold, and every item comes out exactly once,
// whichever thread takes it. Method: one thread against a std::deque, then one owner against 1 to 4
// thieves; under the thread sanitizer too.
#include "makespan/pgas/task/detail/chase_lev_deque.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <latch>
#include <random>
#include <thread>
#include <vector>

#include "makespan/base/contracts.hpp"

namespace makespan::pgas {
namespace {

TEST(ChaseLevDeque, takes_the_newest_and_steals_the_oldest) {
  ChaseLevDeque<int> deque(4);
  std::array<int, 3> items{};
  for (int& item : items) EXPECT_TRUE(deque.push(item));

  int* stolen = nullptr;
  EXPECT_EQ(deque.steal(stolen), StealOutcome::got);
  EXPECT_EQ(stolen, &items[0]);
  EXPECT_EQ(deque.take(), &items[2]);
  EXPECT_EQ(deque.take(), &items[1]);
  EXPECT_EQ(deque.take(), nullptr);
}

TEST(ChaseLevDeque, leaves_the_thief_alone_when_it_is_empty) {
  ChaseLevDeque<int> deque(2);
  int item = 0;
  int* stolen = &item;

  EXPECT_EQ(deque.steal(stolen), StealOutcome::empty);
  EXPECT_EQ(stolen, &item);
}

TEST(ChaseLevDeque, says_when_it_is_full_and_has_room_again) {
  ChaseLevDeque<int> deque(2);
  std::array<int, 4> items{};
  EXPECT_TRUE(deque.push(items[0]));
  EXPECT_TRUE(deque.push(items[1]));
  EXPECT_EQ(deque.size(), 2);

  EXPECT_FALSE(deque.push(items[2]));
  int* stolen = nullptr;
  EXPECT_EQ(deque.steal(stolen), StealOutcome::got);
  EXPECT_TRUE(deque.push(items[2]));
  EXPECT_FALSE(deque.push(items[3]));
  EXPECT_EQ(deque.take(), &items[2]);
  EXPECT_TRUE(deque.push(items[3]));
}

TEST(ChaseLevDeque, wants_a_power_of_two) {
  EXPECT_THROW(ChaseLevDeque<int>(0), ContractViolated);
  EXPECT_THROW(ChaseLevDeque<int>(3), ContractViolated);
  EXPECT_EQ(ChaseLevDeque<int>(1).capacity(), 1);
}

TEST(ChaseLevDeque, does_what_a_queue_with_two_ends_does) {
  ChaseLevDeque<int> deque(8);
  std::deque<int*> model;
  std::array<int, 64> items{};
  std::mt19937 random(20);

  for (int step = 0; step < 100'000; ++step) {
    int& item = items[random() % items.size()];
    switch (random() % 3) {
      case 0: {
        bool const has_room = model.size() < 8;
        ASSERT_EQ(deque.push(item), has_room);
        if (has_room) model.push_back(&item);
        break;
      }
      case 1:
        ASSERT_EQ(deque.take(), model.empty() ? nullptr : model.back());
        if (!model.empty()) model.pop_back();
        break;
      default: {
        int* stolen = nullptr;
        ASSERT_EQ(deque.steal(stolen), model.empty() ? StealOutcome::empty : StealOutcome::got);
        ASSERT_EQ(stolen, model.empty() ? nullptr : model.front());
        if (!model.empty()) model.pop_front();
      }
    }
    ASSERT_EQ(deque.size(), static_cast<std::int64_t>(model.size()));
  }
}

// What is put in, and how often it came out. Plain integers on purpose: the deque must order what
// the owner wrote before what the thief reads.
struct Item {
  int value{0};
  int times_out{0};
};

class EveryThiefCount : public testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(ChaseLevDeque, EveryThiefCount, testing::Range(1, 5));

TEST_P(EveryThiefCount, gets_each_of_a_million_items_once) {
  constexpr int count = 1'000'000;
  // Small, so that it is nearly always full or empty, and slots are used again and again.
  ChaseLevDeque<Item> deque(16);
  std::vector<Item> items(count);
  std::atomic<bool> is_over{false};
  std::atomic<int> wrong{0};
  auto const use = [&wrong, &items](Item& item) {
    if (item.value != 1 + (&item - items.data())) ++wrong;
    ++item.times_out;
  };
  std::latch everyone(GetParam() + 1);
  std::vector<std::jthread> thieves;
  for (int thief = 0; thief < GetParam(); ++thief) {
    thieves.emplace_back([&] {
      everyone.arrive_and_wait();
      while (!is_over) {
        Item* item = nullptr;
        if (deque.steal(item) == StealOutcome::got) {
          use(*item);
        } else {
          std::this_thread::yield();  // with fewer cores than threads, so that others get on
        }
      }
    });
  }

  everyone.arrive_and_wait();
  for (int next = 0; next < count; ++next) {
    Item& item = items[static_cast<std::size_t>(next)];
    item.value = next + 1;
    while (!deque.push(item)) {
      if (Item* const own = deque.take()) use(*own);
    }
    // Empties it now and then, since owner and thieves fight for the last item only.
    if (next % 7 == 0) {
      while (Item* const own = deque.take()) use(*own);
    }
  }
  while (Item* const own = deque.take()) use(*own);
  is_over = true;
  thieves.clear();

  EXPECT_EQ(wrong, 0);
  EXPECT_TRUE(std::ranges::all_of(items, [](Item const& item) { return item.times_out == 1; }));
}

}  // namespace
}  // namespace makespan::pgas
