// SPDX-License-Identifier: Apache-2.0
// Goal: the lock locks where callers may come at the same time, and only there.
#include "makespan/pgas/transport/am/link_lock.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <thread>

namespace makespan::pgas {
namespace {

TEST(LinkLock, Concurrent_lock_is_held_by_one) {
  LinkLock lock(LinkThreading::concurrent);

  EXPECT_TRUE(lock.try_lock());
  EXPECT_FALSE(lock.try_lock());
  lock.unlock();
  EXPECT_TRUE(lock.try_lock());
  lock.unlock();
}

TEST(LinkLock, Serialized_lock_is_always_free) {
  LinkLock lock(LinkThreading::serialized);

  EXPECT_TRUE(lock.try_lock());
  EXPECT_TRUE(lock.try_lock());
  lock.unlock();
}

TEST(LinkLock, Concurrent_lock_keeps_threads_apart) {
  LinkLock lock(LinkThreading::concurrent);
  int count = 0;
  auto const work = [&] {
    for (int time = 0; time < 10000; ++time) {
      std::scoped_lock const hold(lock);
      ++count;
    }
  };

  {
    std::jthread const first(work);
    std::jthread const second(work);
  }

  EXPECT_EQ(count, 20000);
}

}  // namespace
}  // namespace makespan::pgas
