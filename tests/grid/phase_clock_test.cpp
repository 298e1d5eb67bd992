// SPDX-License-Identifier: Apache-2.0
// Goal: times add up by phase, and the last phases are kept in their order. Method: times that are
// given.
#include "makespan/grid/phase_clock.hpp"

#include <gtest/gtest.h>

namespace makespan::grid {
namespace {

using Clock = PhaseClock::Clock;

Clock::time_point at(int milliseconds) {
  return Clock::time_point{} + std::chrono::milliseconds(milliseconds);
}

TEST(PhaseClock, adds_up_by_phase) {
  PhaseClock clock;
  clock.add(Phase::boundary, 0, at(0), at(1));
  clock.add(Phase::interior, 0, at(1), at(5));
  clock.add(Phase::pack, 0, at(63), at(127));
  clock.add(Phase::send, 0, at(5), at(7));
  clock.add(Phase::wait, 0, at(7), at(15));
  clock.add(Phase::unpack, 0, at(15), at(31));
  clock.add(Phase::boundary, 1, at(31), at(63));
  clock.add(Phase::sweep, 1, at(31), at(159));

  DeviceTimes const times = clock.times();

  EXPECT_DOUBLE_EQ(times.boundary.value(), 0.033);
  EXPECT_DOUBLE_EQ(times.interior.value(), 0.004);
  EXPECT_DOUBLE_EQ(times.pack.value(), 0.064);
  EXPECT_DOUBLE_EQ(times.send.value(), 0.002);
  EXPECT_DOUBLE_EQ(times.wait.value(), 0.008);
  EXPECT_DOUBLE_EQ(times.unpack.value(), 0.016);
  EXPECT_DOUBLE_EQ(times.busy.value(), 0.128);
  EXPECT_TRUE(clock.spans().empty());
}

TEST(PhaseClock, keeps_the_last_ones_since_its_zero) {
  PhaseClock clock(2);
  clock.set_zero(at(1000));
  clock.add(Phase::boundary, 7, at(1001), at(1002));
  ASSERT_EQ(clock.spans().size(), 1U);
  clock.set_points(60);
  clock.add(Phase::wait, 8, at(1003), at(1005));
  clock.set_points(40);
  clock.add(Phase::unpack, 9, at(1005), at(1006));

  auto const spans = clock.spans();

  ASSERT_EQ(spans.size(), 2U);
  EXPECT_EQ(spans[0].phase, Phase::wait);
  EXPECT_EQ(spans[0].step, 8);
  EXPECT_DOUBLE_EQ(spans[0].begin.value(), 0.003);
  EXPECT_DOUBLE_EQ(spans[0].end.value(), 0.005);
  EXPECT_EQ(spans[0].points, 60);
  EXPECT_EQ(spans[1].phase, Phase::unpack);
  EXPECT_EQ(spans[1].points, 40);
  EXPECT_DOUBLE_EQ(clock.times().boundary.value(), 0.001);
}

TEST(PhaseClock, times_what_lies_within_a_timing) {
  PhaseClock clock(1);
  auto const begin = Clock::now();
  Clock::duration within{};
  {
    auto const timing = clock.time(Phase::interior, 3);
    auto const begin_within = Clock::now();
    while (within == Clock::duration{}) within = Clock::now() - begin_within;
  }
  auto const took = std::chrono::duration<double>(Clock::now() - begin).count();

  EXPECT_GE(clock.times().interior.value(), std::chrono::duration<double>(within).count());
  EXPECT_LE(clock.times().interior.value(), took);
  EXPECT_EQ(clock.spans().front().step, 3);
  EXPECT_EQ(name_of(clock.spans().front().phase), "interior");
}

}  // namespace
}  // namespace makespan::grid
