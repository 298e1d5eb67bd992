// SPDX-License-Identifier: Apache-2.0
// Goal: one holder at a time, and what it wrote is seen by the next. Method: threads that add to a
// plain integer; under the thread sanitizer too.
#include "makespan/pgas/task/spin_lock.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

namespace makespan::pgas {
namespace {

TEST(SpinLock, is_held_by_one_at_a_time) {
  SpinLock lock;

  EXPECT_TRUE(lock.try_lock());
  EXPECT_FALSE(lock.try_lock());
  lock.unlock();
  EXPECT_TRUE(lock.try_lock());
  lock.unlock();
}

TEST(SpinLock, works_with_the_locks_of_the_library) {
  SpinLock one;
  SpinLock other;
  {
    std::scoped_lock const both(one, other);
    EXPECT_FALSE(one.try_lock());
    EXPECT_FALSE(std::unique_lock(other, std::try_to_lock).owns_lock());
  }
  EXPECT_TRUE(std::unique_lock(one, std::try_to_lock).owns_lock());
}

TEST(SpinLock, keeps_threads_apart) {
  constexpr int threads = 5;
  constexpr int rounds = 20'000;
  SpinLock lock;
  int count = 0;
  std::vector<std::jthread> adders;
  for (int thread = 0; thread < threads; ++thread) {
    adders.emplace_back([&] {
      for (int round = 0; round < rounds; ++round) {
        std::scoped_lock const hold(lock);
        ++count;
      }
    });
  }
  adders.clear();

  EXPECT_EQ(count, threads * rounds);
}

TEST(SpinLock, gives_way_to_a_holder_that_sleeps) {
  SpinLock lock;
  bool is_released = false;
  lock.lock();
  std::jthread const waiter([&] {
    std::scoped_lock const hold(lock);
    EXPECT_TRUE(is_released);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  is_released = true;
  lock.unlock();
}

}  // namespace
}  // namespace makespan::pgas
