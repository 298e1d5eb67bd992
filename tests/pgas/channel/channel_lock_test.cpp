// SPDX-License-Identifier: Apache-2.0
// Goal: with two of the designs one thread at a time is inside, with the third all may be.
#include "makespan/pgas/channel/channel_lock.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace makespan::pgas {
namespace {

bool can_lock_from_elsewhere(ChannelLock& lock) {
  bool locked = false;
  std::thread([&] {
    locked = lock.try_lock();
    if (locked) lock.unlock();
  }).join();
  return locked;
}

class ExclusiveLockTest : public testing::TestWithParam<EndpointDesign> {};

TEST_P(ExclusiveLockTest, Held_lock_keeps_others_out) {
  ChannelLock lock(GetParam());

  lock.lock();
  EXPECT_FALSE(can_lock_from_elsewhere(lock));
  lock.unlock();
  EXPECT_TRUE(can_lock_from_elsewhere(lock));
  ASSERT_TRUE(lock.try_lock());
  EXPECT_FALSE(can_lock_from_elsewhere(lock));
  lock.unlock();
}

TEST_P(ExclusiveLockTest, Threads_take_turns) {
  ChannelLock lock(GetParam());
  int counter = 0;  // plain: the lock is what keeps it right

  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 3; ++thread) {
    threads.emplace_back([&] {
      for (int round = 0; round < 3000; ++round) {
        std::scoped_lock const held(lock);
        ++counter;
      }
    });
  }
  threads.clear();

  EXPECT_EQ(counter, 9000);
}

INSTANTIATE_TEST_SUITE_P(Designs, ExclusiveLockTest,
                         testing::Values(EndpointDesign::per_thread,
                                         EndpointDesign::shared_global_lock));

TEST(FineLockTest, No_thread_is_kept_out) {
  ChannelLock lock(EndpointDesign::shared_fine_lock);

  lock.lock();
  EXPECT_TRUE(can_lock_from_elsewhere(lock));
  lock.unlock();
}

}  // namespace
}  // namespace makespan::pgas
