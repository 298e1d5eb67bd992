// SPDX-License-Identifier: Apache-2.0
// Goal: calls for a thread that computes are run by an idle thread of its image if stealing is on,
// and wait for their thread if it is off; each call runs once. Method: thread 0 of each image spins
// without calling anything until the test lets it go, so what thread 1 runs cannot be luck.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "runtime_fixture.hpp"

namespace makespan::pgas {
namespace {

constexpr int calls = 40;

// How many calls each thread of this image ran.
std::atomic<int> ran[2];

int run_and_tell(Endpoint& there) {
  int const thread = there.address().thread;
  ++ran[thread];
  return thread;
}

// A computation: no progress, no help. Gives up when what ends it does not come.
void compute_until(std::atomic<bool> const& ends) {
  auto const limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!ends && std::chrono::steady_clock::now() < limit) std::this_thread::yield();
  EXPECT_TRUE(ends);
}

class StealingTest : public testing::Test {
 protected:
  void SetUp() override {
    for (auto& count : ran) count = 0;
  }

  [[nodiscard]] static RuntimeOptions options(Stealing stealing) {
    RuntimeOptions chosen = small_options();
    chosen.stealing = stealing;
    chosen.operations_max = 256;  // so that no thread waits for room to send
    return chosen;
  }
  [[nodiscard]] static ImageId next(Runtime const& runtime) {
    return ImageId{(runtime.image().value() + 1) % runtime.images()};
  }
};

TEST_F(StealingTest, Idle_thread_runs_the_calls_of_a_busy_one) {
  ScopedVariable const on("MAKESPAN_STEALING", "on");
  Runtime runtime(options(Stealing::on));
  std::atomic<bool> is_free{false};

  TestThread idle([&] {
    Endpoint& here = runtime.endpoint(1);
    std::vector<Future<int>> futures;
    for (int call = 0; call < calls; ++call) {
      futures.push_back(here.rpc(EndpointAddress{next(runtime), 0}, function<&run_and_tell>));
    }
    for (auto const& future : futures) EXPECT_EQ(future.get(), 1);
    // Until the others' calls to this image have run, too.
    while (ran[0] + ran[1] < calls) here.help();
    is_free = true;
  });
  compute_until(is_free);
  idle.join();
  runtime.team().barrier_all();

  EXPECT_EQ(ran[0], 0);
  EXPECT_EQ(ran[1], calls);
  runtime.finish_all();
}

// The calls arrive on the channel of the busy thread, and their results on that of the busy caller.
TEST_F(StealingTest, Idle_thread_drives_the_channel_of_a_busy_one) {
  ScopedVariable const on("MAKESPAN_STEALING", "on");
  Runtime runtime(options(Stealing::on));
  std::atomic<bool> is_free{false};
  Endpoint& busy = runtime.endpoint(0);
  std::vector<Future<int>> futures;
  for (int call = 0; call < calls; ++call) {
    futures.push_back(busy.rpc(next(runtime), function<&run_and_tell>));
  }
  int const ran_before = ran[0];

  TestThread idle([&] {
    Endpoint& here = runtime.endpoint(1);
    here.wait_until([&] { return ran[0] + ran[1] == calls; }, {.call = "test"});
    is_free = true;
  });
  compute_until(is_free);
  idle.join();

  EXPECT_EQ(ran[1], calls - ran_before);
  for (auto const& future : futures) static_cast<void>(future.get());
  EXPECT_EQ(ran[0] + ran[1], calls);
  runtime.team().barrier_all();
  runtime.finish_all();
}

TEST_F(StealingTest, Without_stealing_calls_wait_for_their_thread) {
  ScopedVariable const off("MAKESPAN_STEALING", "off");
  Runtime runtime(options(Stealing::off));
  std::atomic<bool> is_free{false};
  std::atomic<int> over{0};

  TestThread idle([&] {
    Endpoint& here = runtime.endpoint(1);
    std::vector<Future<int>> futures;
    for (int call = 0; call < calls; ++call) {
      futures.push_back(here.rpc(EndpointAddress{next(runtime), 0}, function<&run_and_tell>));
    }
    for (int round = 0; round < 2000; ++round) here.help();
    EXPECT_EQ(ran[0] + ran[1], 0);
    is_free = true;
    for (auto const& future : futures) EXPECT_EQ(future.get(), 0);
    over = 1;
  });
  compute_until(is_free);
  Endpoint& here = runtime.endpoint(0);
  while (over == 0) here.help();
  idle.join();
  runtime.team().barrier_all();

  EXPECT_EQ(ran[0], calls);
  EXPECT_EQ(ran[1], 0);
  runtime.finish_all();
}

// Nothing twice, nothing lost, whichever thread runs it.
TEST_F(StealingTest, Every_call_runs_once) {
  constexpr int each = 300;
  Runtime runtime(options(Stealing::on));
  auto const all = [&](int thread) {
    Endpoint& here = runtime.endpoint(thread);
    std::vector<Future<int>> futures;
    for (int call = 0; call < each; ++call) {
      EndpointAddress const to{ImageId{(call + thread) % runtime.images()}, call % 2};
      futures.push_back(here.rpc(to, function<&run_and_tell>));
    }
    for (auto const& future : futures) static_cast<void>(future.get());
  };

  TestThread other([&](std::stop_token const& stop) {
    all(1);
    while (!stop.stop_requested()) runtime.endpoint(1).help();
  });
  all(0);
  runtime.team().barrier_all();
  // All threads 0 have their results; those of threads 1 may be under way.
  auto const sum = [&] {
    return runtime.team().all_reduce_all<std::int64_t>(ReduceOp::sum, ran[0] + ran[1]);
  };
  std::int64_t const expected = 2 * each * runtime.images();
  std::int64_t seen = sum();
  while (seen < expected) seen = sum();
  other.stop();
  runtime.team().barrier_all();

  EXPECT_EQ(seen, expected);
  EXPECT_EQ(sum(), expected);
  runtime.finish_all();
}

}  // namespace
}  // namespace makespan::pgas
