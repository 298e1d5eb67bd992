// SPDX-License-Identifier: Apache-2.0
// Goal: threads do all parts of a phase once, and no error is lost or hangs. Method: numbered
// parts; jobs that throw on one thread.
#include "makespan/apps/graph500/thread_pool.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "graph500_fixture.hpp"
#include "makespan/base/error.hpp"

namespace makespan::graph500 {
namespace {

using ThreadPoolTest = Graph500Test;

TEST_F(ThreadPoolTest, does_each_part_once) {
  for (int threads = 1; threads <= threads_max; ++threads) {
    ThreadPool pool(runtime, threads);
    for (std::int64_t const count : {0, 1, 10, 1000}) {
      std::vector<std::atomic<int>> times(static_cast<std::size_t>(count));
      pool.each_chunk(count, 7, [&](pgas::Endpoint&, std::int64_t begin, std::int64_t end) {
        EXPECT_LE(end - begin, 7);
        for (std::int64_t at = begin; at < end; ++at) ++times[static_cast<std::size_t>(at)];
      });
      for (auto const& each : times) EXPECT_EQ(each, 1);
    }
  }
}

TEST_F(ThreadPoolTest, gives_each_thread_its_endpoint) {
  ThreadPool pool(runtime, threads_max);
  std::vector<std::atomic<int>> times(threads_max);
  pool.run([&](pgas::Endpoint& here) { ++times[static_cast<std::size_t>(here.address().thread)]; });
  for (auto const& each : times) EXPECT_EQ(each, 1);
}

TEST_F(ThreadPoolTest, throws_what_a_thread_throws_and_goes_on) {
  ThreadPool pool(runtime, threads_max);
  for (int thrower = 0; thrower < threads_max; ++thrower) {
    auto const throw_on_one = [&](pgas::Endpoint& here) {
      if (here.address().thread == thrower) throw std::runtime_error("planted");
    };
    EXPECT_THROW(pool.run(throw_on_one), std::runtime_error) << thrower;
    std::atomic<int> ran{0};
    pool.run([&](pgas::Endpoint&) { ++ran; });
    EXPECT_EQ(ran, threads_max);
  }
}

TEST_F(ThreadPoolTest, refuses_threads_that_there_are_not) {
  EXPECT_THROW(ThreadPool(runtime, 0), InputError);
  EXPECT_THROW(ThreadPool(runtime, threads_max + 1), InputError);
}

}  // namespace
}  // namespace makespan::graph500
