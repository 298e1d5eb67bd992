// SPDX-License-Identifier: Apache-2.0
// Goal: the thread drives channels that no other thread polls, wakes for what comes, keeps what
// went wrong, and ends when it is told. Method: channels of a fake network; only the thread answers
// messages.
#include "makespan/pgas/progress/progress_thread.hpp"

#include <gtest/gtest.h>

#include <sched.h>

#include <chrono>
#include <stdexcept>
#include <thread>

#include "../channel/fake_image.hpp"
#include "../channel/recorded_completion.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/pgas/options.hpp"
#include "makespan/pgas/progress/bound_core.hpp"

namespace makespan::pgas {
namespace {

using namespace std::chrono_literals;

constexpr ImageId progressed{0};
constexpr ImageId sender{1};

// Until `done()`, for 10 s at most; says whether it came.
template <class Done>
bool comes(Done&& done) {
  auto const end = std::chrono::steady_clock::now() + 10s;
  while (!done()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(100us);
  }
  return true;
}

struct Case {
  ProgressMode asked;
  fake::Events events;
  ProgressMode given;
};

class ProgressThreadTest : public testing::TestWithParam<Case> {
 protected:
  void ask_far() {
    near.channel->with_memory([&](RemoteMemory& memory) {
      EXPECT_EQ(memory.atomic(sender, {.op = AtomicOp::add, .operand = 1}, &done),
                StartOutcome::started);
      return 0;
    });
  }
  // Whether the far image answers; this one is polled here.
  bool is_answered(int times) {
    return comes([&] {
      near.channel->poll();
      return done.completed == times;
    });
  }

  fake::FakeNetwork network{2};
  fake::FakeImage near{network, progressed};
  fake::FakeImage far{network, sender, GetParam().events};
  fake::RecordedCompletion done;
};

TEST_P(ProgressThreadTest, Thread_answers_for_an_image_that_computes) {
  ProgressThread const thread(GetParam().asked, {far.channel.get()});
  EXPECT_EQ(thread.mode(), GetParam().given);

  for (int round = 1; round <= 20; ++round) {
    ask_far();
    ASSERT_TRUE(is_answered(round)) << round;
    if (round % 5 == 0) std::this_thread::sleep_for(2ms);  // so that it sleeps in between
  }

  EXPECT_EQ(far.heap[0], 20U);
}

TEST_P(ProgressThreadTest, Channel_that_a_thread_polls_is_left_alone) {
  far.channel->enter_wait();
  ProgressThread const thread(GetParam().asked, {far.channel.get()});

  ask_far();
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(network.count(progressed, sender), 1U);

  far.channel->exit_wait();
  EXPECT_TRUE(is_answered(1));
}

TEST_P(ProgressThreadTest, Trouble_is_kept_for_others_to_find) {
  ProgressThread thread(GetParam().asked, {far.channel.get()});
  EXPECT_EQ(thread.take_error(), nullptr);

  network.trouble = "the network is down";
  std::exception_ptr error;
  ASSERT_TRUE(comes([&] { return (error = thread.take_error()) != nullptr; }));

  EXPECT_THROW(std::rethrow_exception(error), std::runtime_error);
  EXPECT_EQ(thread.take_error(), nullptr);  // once
}

TEST_P(ProgressThreadTest, Thread_ends_when_it_is_told) {
  for (int round = 0; round < 10; ++round) {
    ProgressThread const thread(GetParam().asked, {far.channel.get()});
    if (round % 2 == 0) std::this_thread::sleep_for(1ms);
  }
  int const polls = network.polls;
  std::this_thread::sleep_for(5ms);
  EXPECT_EQ(network.polls, polls);
}

INSTANTIATE_TEST_SUITE_P(
    Modes, ProgressThreadTest,
    testing::Values(Case{ProgressMode::nap, fake::Events::none, ProgressMode::nap},
                    Case{ProgressMode::nap, fake::Events::some, ProgressMode::nap},
                    Case{ProgressMode::event, fake::Events::some, ProgressMode::event},
                    Case{ProgressMode::event, fake::Events::none, ProgressMode::nap},
                    Case{ProgressMode::spin, fake::Events::none, ProgressMode::spin},
                    Case{ProgressMode::spin, fake::Events::some, ProgressMode::spin}),
    [](auto const& test) {
      return std::string(name_of(test.param.asked)) +
             (test.param.events == fake::Events::some ? "_with_events" : "_without_events");
    });

TEST(ProgressThreadSleepTest, Event_thread_sleeps_when_nothing_comes) {
  fake::FakeNetwork network(2);
  fake::FakeImage far(network, sender, fake::Events::some);
  ProgressThread const thread(ProgressMode::event, {far.channel.get()});
  ASSERT_TRUE(comes([&] { return network.polls > 0; }));
  std::this_thread::sleep_for(10ms);

  int const before = network.polls;
  std::this_thread::sleep_for(50ms);

  // At most the look of every 100 ms, and one around it; napping would have looked 500 times.
  EXPECT_LE(network.polls - before, 4);
}

TEST(ProgressThreadCoreTest, Thread_runs_on_the_processor_that_it_is_given) {
  cpu_set_t usable;
  ASSERT_EQ(::sched_getaffinity(0, sizeof usable, &usable), 0);
  std::size_t last = 0;
  for (std::size_t core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &usable)) last = core;
  }
  fake::FakeNetwork network(2);
  fake::FakeImage far(network, sender, fake::Events::none);
  {
    ProgressThread const thread(ProgressMode::spin, {far.channel.get()}, static_cast<int>(last));
    ASSERT_TRUE(comes([&] { return network.processor >= 0; }));
  }
  EXPECT_EQ(network.processor, static_cast<int>(last));
}

TEST(ProgressThreadCoreTest, Processor_that_may_not_be_used_is_refused) {
  EXPECT_NO_THROW(expect_usable_core(::sched_getcpu()));
  EXPECT_THROW(expect_usable_core(CPU_SETSIZE), InputError);
  EXPECT_THROW(expect_usable_core(-1), InputError);
}

TEST(ProgressThreadSleepTest, Manual_progress_needs_no_thread) {
  EXPECT_THROW(ProgressThread(ProgressMode::manual, {}), ContractViolated);
}

}  // namespace
}  // namespace makespan::pgas
