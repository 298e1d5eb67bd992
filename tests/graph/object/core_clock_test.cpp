// SPDX-License-Identifier: Apache-2.0
// Goal: a stop of the thread is not in its time, and the CPU's clock is seldom asked. Method:
// clocks that the test sets.
#include "makespan/graph/object/detail/core_clock.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace makespan::graph {
namespace {

struct Hands {
  std::int64_t wall{5'000'000};
  std::int64_t cpu{700};
  int cpu_readings{0};

  void compute(std::int64_t ns) {
    wall += ns;
    cpu += ns;
  }
};

struct TestClocks {
  Hands* hands;
  [[nodiscard]] std::int64_t wall_ns() const { return hands->wall; }
  [[nodiscard]] std::int64_t cpu_ns() const {
    ++hands->cpu_readings;
    return hands->cpu;
  }
};

class CoreClockTest : public testing::Test {
 protected:
  // What passes on the clock while `act` changes the hands.
  template <class Act>
  std::int64_t passed(Act const& act) {
    std::int64_t const begin = clock.now_ns();
    act();
    return clock.now_ns() - begin;
  }

  Hands hands{};
  CoreClock<TestClocks> clock{TestClocks{&hands}};
};

TEST_F(CoreClockTest, counts_what_the_thread_computed) {
  EXPECT_EQ(passed([&] { hands.compute(100); }), 100);
  EXPECT_EQ(passed([&] { hands.compute(2'000'000); }), 2'000'000);
}

TEST_F(CoreClockTest, leaves_out_a_stop) {
  EXPECT_EQ(passed([&] { hands.compute(100); }), 100);
  EXPECT_EQ(passed([&] {
              hands.compute(300);
              hands.wall += 4'000'000;
            }),
            300);
  EXPECT_EQ(passed([&] { hands.compute(200); }), 200);
}

TEST_F(CoreClockTest, asks_for_the_cpu_time_only_after_long_pauses) {
  static_cast<void>(clock.now_ns());
  int const first = hands.cpu_readings;

  for (int i = 0; i < 1000; ++i) EXPECT_EQ(passed([&] { hands.compute(10'000); }), 10'000);

  EXPECT_EQ(hands.cpu_readings, first);
}

TEST_F(CoreClockTest, never_runs_backwards) {
  static_cast<void>(clock.now_ns());
  // Short stops that it did not see must not all be taken from one short stretch.
  for (int i = 0; i < 100; ++i) {
    static_cast<void>(passed([&] {
      hands.compute(10'000);
      hands.wall += 15'000;
    }));
  }

  EXPECT_GE(passed([&] { hands.compute(30'000); }), 0);
}

TEST_F(CoreClockTest, takes_a_cpu_clock_that_is_ahead_for_no_stop) {
  EXPECT_EQ(passed([&] {
              hands.compute(50'000);
              hands.cpu += 400;
            }),
            50'000);
}

}  // namespace
}  // namespace makespan::graph
