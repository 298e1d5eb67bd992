// SPDX-License-Identifier: Apache-2.0
// Goal: one holder at a time, what it wrote is seen by the next, and no thread waits for ever.
// Method: threads that add to a plain integer, and one that takes the lock again at once; under the
// thread sanitizer too.
#include "makespan/pgas/task/spin_lock.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "makespan/machine/affinity.hpp"

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

// As a thread that drives progress all the time: between two rounds its lock is free for a moment
// that a thread on the same core never sees.
TEST(SpinLock, comes_to_one_that_waits_while_another_takes_it_all_the_time) {
  constexpr auto hold = std::chrono::milliseconds(1);
  int const core = machine::allowed_cores().front();
  SpinLock lock;
  std::atomic<bool> is_taken{false};
  std::jthread const holder([&](std::stop_token const& stop) {
    machine::pin_this_thread(core);
    while (!stop.stop_requested()) {
      std::scoped_lock const holds(lock);
      is_taken = true;
      auto const begin = std::chrono::steady_clock::now();
      while (std::chrono::steady_clock::now() - begin < hold) pause_core();
    }
  });
  auto had_it = std::async(std::launch::async, [&] {
    machine::pin_this_thread(core);
    while (!is_taken) std::this_thread::yield();
    std::scoped_lock const holds(lock);
  });

  // It takes some milliseconds; far longer if it is left to chance.
  EXPECT_EQ(had_it.wait_for(std::chrono::seconds(5)), std::future_status::ready);
}

}  // namespace
}  // namespace makespan::pgas
