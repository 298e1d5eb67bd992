// SPDX-License-Identifier: Apache-2.0
// Goal: all threads of a thread team take part in each call, once, and failures come to the caller.
#include "makespan/grid/thread_team.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "makespan/machine/affinity.hpp"

namespace makespan::grid {
namespace {

// Threads on cores that there are, though not on one each.
std::vector<int> cores_for(int threads) {
  auto const allowed = machine::allowed_cores();
  std::vector<int> cores;
  for (int i = 0; i < threads; ++i) {
    cores.push_back(allowed[static_cast<std::size_t>(i) % allowed.size()]);
  }
  return cores;
}

// Asked in a thread of its own, and not of a team: one that ties nothing is no reason to skip.
bool can_pin(int core) {
  auto outcome = machine::PinOutcome::refused;
  std::thread([&] { outcome = machine::pin_this_thread(core); }).join();
  return outcome == machine::PinOutcome::pinned;
}

// Longer than a follower waits with its core.
void let_sleep() {
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

TEST(ThreadTeam, has_a_thread_for_each_core_and_one_at_least) {
  EXPECT_EQ(ThreadTeam().threads(), 1);
  EXPECT_EQ(ThreadTeam({-1}).threads(), 1);
  EXPECT_EQ(ThreadTeam(cores_for(4)).threads(), 4);
}

TEST(ThreadTeam, does_each_part_once_in_a_thread_of_its_own) {
  ThreadTeam team(cores_for(4));
  std::vector<std::atomic<int>> calls(4);
  std::vector<std::thread::id> threads(4);

  team.run([&](int thread) {
    ++calls[static_cast<std::size_t>(thread)];
    threads[static_cast<std::size_t>(thread)] = std::this_thread::get_id();
  });

  for (auto const& count : calls) EXPECT_EQ(count, 1);
  EXPECT_EQ(threads[0], std::this_thread::get_id());
  EXPECT_EQ(std::set(threads.begin(), threads.end()).size(), 4U);
}

TEST(ThreadTeam, does_each_part_once_in_any_thread) {
  ThreadTeam team(cores_for(3));
  std::vector<int> counts(3);  // plain: what a call wrote, the next one and the caller see
  for (int call = 1; call <= 5000; ++call) {
    team.run_parts([&](int part, int) { ++counts[static_cast<std::size_t>((part + call) % 3)]; });
    ASSERT_EQ(counts, std::vector<int>(3, call));
  }
}

// Its own threads have the caller's core when that has nothing to do, and come late nearly always:
// how often is the system's to say (20 of 40 parts were seen on a busy one), so calls go on until
// it was often enough. Where each part is left to its own thread it is never.
TEST(ThreadTeam, does_the_parts_of_threads_that_come_late) {
  bool are_late = can_pin(machine::allowed_cores().front());
  int taken = 0;
  // In a thread of its own: the test's is left alone.
  std::thread([&] {
    ThreadTeam team(std::vector<int>(3, machine::allowed_cores().front()));
    static_cast<void>(machine::pin_this_thread(machine::allowed_cores().front()));
    std::atomic<int> idle{0};
    team.run([&](int thread) {
      sched_param const none{};
      if (thread > 0 && sched_setscheduler(0, SCHED_IDLE, &none) == 0) ++idle;
    });
    are_late = are_late && idle == 2;
    for (int call = 0; call < 500 && taken <= 20; ++call) {
      let_sleep();
      std::vector<int> threads(3, -1);
      team.run_parts(
          [&](int part, int thread) { threads[static_cast<std::size_t>(part)] = thread; });
      for (int part = 1; part < 3; ++part) taken += threads[static_cast<std::size_t>(part)] != part;
    }
  }).join();

  if (!are_late) GTEST_SKIP() << "this system does not pin threads, or has no class for idle ones";
  EXPECT_GT(taken, 20);
}

TEST(ThreadTeam, tells_parts_which_thread_does_them) {
  ThreadTeam team(cores_for(3));
  auto const caller = std::this_thread::get_id();
  for (int call = 0; call < 200; ++call) {
    team.run_parts(
        [&](int, int thread) { ASSERT_EQ(thread == 0, std::this_thread::get_id() == caller); });
  }
}

TEST(ThreadTeam, throws_what_a_part_threw_and_does_the_others) {
  ThreadTeam team(cores_for(3));
  for (int bad = 0; bad < 3; ++bad) {
    std::atomic<int> others{0};
    EXPECT_THROW(team.run_parts([&](int part, int) {
      if (part == bad) throw std::runtime_error("part");
      ++others;
    }),
                 std::runtime_error);
    EXPECT_EQ(others, 2);
  }
}

// A thread that comes late to a call finds others' calls, of both kinds.
TEST(ThreadTeam, mixes_calls_of_both_kinds) {
  ThreadTeam team(cores_for(4));
  std::vector<int> counts(4);
  for (int call = 1; call <= 500; ++call) {
    auto const count = [&](int at) { ++counts[static_cast<std::size_t>((at + call) % 4)]; };
    if (call % 3 == 0) {
      team.run(count);
    } else {
      team.run_parts([&](int part, int) { count(part); });
    }
    ASSERT_EQ(counts, std::vector<int>(4, call));
  }
}

// Hours of steps of 10 µs.
TEST(ThreadTeam, goes_on_past_two_to_the_31_and_two_to_the_32_calls) {
  for (std::uint32_t const before : {0x7fff'fffeU, 0xffff'fffeU}) {
    ThreadTeam team(cores_for(3), before);
    std::atomic<int> calls{0};
    for (int call = 1; call <= 5; ++call) {
      team.run([&](int) { ++calls; });
      ASSERT_EQ(calls, 3 * call);
    }
  }
}

TEST(ThreadTeam, is_done_when_all_are) {
  ThreadTeam team(cores_for(3));
  std::vector<int> counts(3);  // plain: what a call wrote, the next one and the caller see
  for (int call = 1; call <= 2000; ++call) {
    team.run([&](int thread) { ++counts[static_cast<std::size_t>((thread + call) % 3)]; });
    ASSERT_EQ(counts, std::vector<int>(3, call));
  }
}

TEST(ThreadTeam, wakes_up_for_the_next_call) {
  ThreadTeam team(cores_for(3));
  std::atomic<int> calls{0};
  for (int call = 0; call < 5; ++call) {
    let_sleep();
    team.run([&](int) { ++calls; });
  }

  EXPECT_EQ(calls, 15);
}

TEST(ThreadTeam, waits_for_one_that_takes_long) {
  ThreadTeam team(cores_for(2));
  bool is_done = false;

  team.run([&](int thread) {
    if (thread != 1) return;
    let_sleep();
    is_done = true;
  });

  EXPECT_TRUE(is_done);
}

TEST(ThreadTeam, throws_what_a_thread_threw_and_goes_on) {
  ThreadTeam team(cores_for(3));
  for (int bad = 0; bad < 3; ++bad) {
    std::atomic<int> others{0};
    try {
      team.run([&](int thread) {
        if (thread == bad) throw std::runtime_error("thread " + std::to_string(bad));
        ++others;
      });
      FAIL() << "nothing thrown";
    } catch (std::runtime_error const& error) {
      EXPECT_EQ(error.what(), "thread " + std::to_string(bad));
    }
    EXPECT_EQ(others, 2);
  }
  std::atomic<int> calls{0};
  team.run([&](int) { ++calls; });

  EXPECT_EQ(calls, 3);
}

TEST(ThreadTeam, throws_one_of_several_failures) {
  ThreadTeam team(cores_for(3));

  EXPECT_THROW(team.run([](int) { throw std::runtime_error("all"); }), std::runtime_error);
}

TEST(ThreadTeam, ends_while_its_threads_wait_or_sleep) {
  {
    ThreadTeam const never_called(cores_for(3));
  }
  {
    ThreadTeam team(cores_for(3));
    team.run([](int) {});
  }
  ThreadTeam team(cores_for(3));
  team.run([](int) {});
  let_sleep();
}

TEST(ThreadTeam, ties_each_thread_of_its_own_to_its_core) {
  auto const allowed = machine::allowed_cores();
  if (!can_pin(allowed.front())) GTEST_SKIP() << "this system does not pin threads";
  std::vector<std::vector<int>> seen(3);
  ThreadTeam team({allowed.front(), allowed.back(), allowed.front()});
  team.run([&](int thread) { seen[static_cast<std::size_t>(thread)] = machine::allowed_cores(); });

  EXPECT_EQ(seen[0], allowed) << "the caller's";
  EXPECT_EQ(seen[1], std::vector<int>{allowed.back()});
  EXPECT_EQ(seen[2], std::vector<int>{allowed.front()});
}

}  // namespace
}  // namespace makespan::grid
