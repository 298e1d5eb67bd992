// SPDX-License-Identifier: Apache-2.0
// Goal: time is charged to the object whose handler used it, and stops to no object. Method: clocks
// that the test sets, and counts readings of.
#include "makespan/graph/object/load_clock.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "makespan/base/contracts.hpp"

namespace makespan::graph {
namespace {

constexpr std::int64_t ticks_per_ns = 3;

struct FakeTime {
  double ns_per_tick{1.0 / ticks_per_ns};
  std::int64_t wall_ns{1000};
  std::int64_t cpu_ns{77};
  std::int64_t stop_in_wall_reading_ns{0};  // the next one
  int tick_readings{0};
  int wall_readings{0};
  int cpu_readings{0};

  void compute(std::int64_t ns) {
    wall_ns += ns;
    cpu_ns += ns;
  }
  void stop(std::int64_t ns) { wall_ns += ns; }
};

struct FakeClocks {
  FakeTime* time;

  [[nodiscard]] std::int64_t wall_ns() const {
    ++time->wall_readings;
    time->wall_ns += std::exchange(time->stop_in_wall_reading_ns, 0);
    return time->wall_ns;
  }
  [[nodiscard]] std::int64_t cpu_ns() const {
    ++time->cpu_readings;
    return time->cpu_ns;
  }
  [[nodiscard]] std::int64_t ticks() const {
    ++time->tick_readings;
    return ticks_per_ns * time->wall_ns;
  }
  // As well as that is known before the clocks are compared.
  [[nodiscard]] double ns_per_tick() const { return time->ns_per_tick; }
};

class LoadClockTest : public testing::Test {
 protected:
  void run(std::size_t object, std::int64_t ns) {
    time_.compute(ns);
    clock_.charge(cpu_s_[object]);
  }

  FakeTime time_;
  LoadClock<FakeClocks> clock_{{}, FakeClocks{&time_}};
  std::vector<double> cpu_s_ = std::vector<double>(3, 0.0);
};

TEST_F(LoadClockTest, each_object_gets_its_handlers_time) {
  clock_.begin_spell();
  run(0, 1000);
  run(1, 2000);
  run(0, 4000);
  clock_.end_spell();

  PlaceTimes const times = clock_.end_phase();
  EXPECT_DOUBLE_EQ(cpu_s_[0], 5e-6);
  EXPECT_DOUBLE_EQ(cpu_s_[1], 2e-6);
  EXPECT_DOUBLE_EQ(times.wall_s, 7e-6);
  EXPECT_DOUBLE_EQ(times.cpu_s, 7e-6);
}

TEST_F(LoadClockTest, takes_one_reading_for_a_handler) {
  clock_.begin_spell();
  for (int handler = 0; handler < 100; ++handler) run(0, 1000);
  clock_.end_spell();

  EXPECT_EQ(time_.tick_readings, 101 + 3) << "two comparisons, and the end";
  EXPECT_EQ(time_.wall_readings, 2);
  EXPECT_EQ(time_.cpu_readings, 2);
}

// What the processor calls a tick is found by the clocks, interval by interval.
TEST_F(LoadClockTest, learns_how_long_a_tick_is) {
  time_.ns_per_tick = 2.0 / ticks_per_ns;
  LoadClock<FakeClocks> clock({}, FakeClocks{&time_});
  clock.begin_spell();
  auto const work = [&] {
    for (int handler = 0; handler < 200; ++handler) {
      time_.compute(10'000);
      clock.charge(cpu_s_[0]);
    }
  };
  work();
  clock.end_spell();
  static_cast<void>(clock.end_phase());
  clock.begin_spell();
  cpu_s_[0] = 0.0;
  work();
  clock.end_spell();

  EXPECT_NEAR(clock.end_phase().wall_s, 2e-3, 1e-9);
  EXPECT_NEAR(cpu_s_[0], 2e-3, 1e-9);
}

// Or ticks would seem long from then on.
TEST_F(LoadClockTest, learns_nothing_from_clocks_that_it_was_stopped_between) {
  for (int spell = 0; spell < 30; ++spell) {
    clock_.begin_spell();
    for (int handler = 0; handler < 100; ++handler) {
      if (handler % 7 == 3) time_.stop_in_wall_reading_ns = 4'000'000;
      run(0, 10'000);
    }
    clock_.end_spell();
  }
  static_cast<void>(clock_.end_phase());
  cpu_s_[0] = 0.0;
  clock_.begin_spell();
  for (int handler = 0; handler < 100; ++handler) run(0, 10'000);
  clock_.end_spell();

  EXPECT_NEAR(clock_.end_phase().wall_s, 1e-3, 1e-9);
  EXPECT_NEAR(cpu_s_[0], 1e-3, 1e-9);
}

TEST_F(LoadClockTest, reads_the_cpu_once_in_an_interval) {
  clock_.begin_spell();
  for (int handler = 0; handler < 1000; ++handler) run(0, 10'000);
  clock_.end_spell();

  EXPECT_EQ(time_.cpu_readings, 1 + 50);  // nothing is left to close at the end
  static_cast<void>(clock_.end_phase());
  EXPECT_NEAR(cpu_s_[0], 1e-2, 1e-12);
}

TEST_F(LoadClockTest, closes_an_interval_of_too_many_handlers) {
  clock_.begin_spell();
  for (int handler = 0; handler < 1000; ++handler) run(0, 10);
  clock_.end_spell();

  EXPECT_EQ(time_.cpu_readings, 1 + 3);
  static_cast<void>(clock_.end_phase());
  EXPECT_NEAR(cpu_s_[0], 1e-5, 1e-15);
}

TEST_F(LoadClockTest, a_stop_is_taken_from_the_longest_handler) {
  clock_.begin_spell();
  run(0, 3000);
  time_.stop(4'000'000);
  run(1, 1000);
  run(2, 2000);
  clock_.end_spell();

  PlaceTimes const times = clock_.end_phase();
  EXPECT_DOUBLE_EQ(cpu_s_[0], 3e-6);
  EXPECT_NEAR(cpu_s_[1], 1e-6, 1e-15);
  EXPECT_DOUBLE_EQ(times.wall_s, 4.006e-3);
  EXPECT_NEAR(times.cpu_s, 6e-6, 1e-15);
}

TEST_F(LoadClockTest, little_that_is_missing_is_noise) {
  clock_.begin_spell();
  time_.stop(4000);
  run(0, 10'000);
  clock_.end_spell();

  static_cast<void>(clock_.end_phase());
  EXPECT_DOUBLE_EQ(cpu_s_[0], 14e-6);
}

TEST_F(LoadClockTest, pauses_are_charged_to_no_object) {
  for (int spell = 0; spell < 5; ++spell) {
    clock_.begin_spell();
    run(0, 1000);
    clock_.end_spell();
    time_.compute(7000);  // polls
  }

  PlaceTimes const times = clock_.end_phase();
  EXPECT_NEAR(cpu_s_[0], 5e-6, 1e-15);
  EXPECT_DOUBLE_EQ(times.wall_s, 5e-6);
  EXPECT_EQ(time_.cpu_readings, 2);  // for all of them
}

TEST_F(LoadClockTest, pauses_in_which_the_thread_slept_are_charged_to_no_object) {
  for (int spell = 0; spell < 5; ++spell) {
    clock_.begin_spell();
    run(0, 1000);
    run(1, 3000);
    clock_.end_spell();
    time_.stop(1'000'000);
  }

  PlaceTimes const times = clock_.end_phase();
  EXPECT_NEAR(cpu_s_[0], 5e-6, 1e-15);
  EXPECT_NEAR(cpu_s_[1], 15e-6, 1e-15);
  EXPECT_NEAR(times.cpu_s / times.wall_s, 1.0, 1e-12);
}

TEST_F(LoadClockTest, a_busy_spell_ends_its_interval_so_that_a_pause_hides_no_stop) {
  clock_.begin_spell();
  run(0, 3000);
  time_.stop(150'000);
  run(1, 1000);
  clock_.end_spell();
  time_.compute(900'000);  // polls
  clock_.begin_spell();
  run(2, 1000);
  clock_.end_spell();

  static_cast<void>(clock_.end_phase());
  EXPECT_NEAR(cpu_s_[0], 3e-6, 1e-15);
  EXPECT_NEAR(cpu_s_[1], 1e-6, 1e-15);
  EXPECT_NEAR(cpu_s_[2], 1e-6, 1e-15);
}

TEST_F(LoadClockTest, phases_begin_at_nothing) {
  clock_.begin_spell();
  run(0, 1000);
  clock_.end_spell();
  static_cast<void>(clock_.end_phase());

  PlaceTimes const times = clock_.end_phase();
  EXPECT_EQ(times.wall_s, 0.0);
  EXPECT_EQ(times.cpu_s, 0.0);
  EXPECT_DOUBLE_EQ(cpu_s_[0], 1e-6);  // for its owner to empty
}

TEST_F(LoadClockTest, refuses_charges_outside_of_spells) {
  EXPECT_THROW(clock_.charge(cpu_s_[0]), ContractViolated);
  EXPECT_THROW(clock_.end_spell(), ContractViolated);
  clock_.begin_spell();
  EXPECT_THROW(clock_.begin_spell(), ContractViolated);
  EXPECT_THROW(static_cast<void>(clock_.end_phase()), ContractViolated);
}

TEST(TakeStop, takes_in_proportion_what_the_longest_does_not_have) {
  double slot = 0.0;
  std::vector<TimedHandler> handlers{{&slot, 100}, {&slot, 500}, {nullptr, 50}, {&slot, 300}};

  take_stop(handlers, 50 + 499 + 199);

  EXPECT_EQ(handlers[0].ns, 50.5);
  EXPECT_EQ(handlers[1].ns, 1);
  EXPECT_EQ(handlers[2].ns, 0);
  EXPECT_EQ(handlers[3].ns, 150.5);
}

// A load of nothing would say that the object did nothing.
TEST(TakeStop, leaves_each_object_a_nanosecond_of_what_it_took) {
  double slot = 0.0;
  std::vector<TimedHandler> handlers{{&slot, 100}, {nullptr, 50}, {&slot, 7}, {&slot, 0.5}};

  take_stop(handlers, 1'000'000);
  take_stop({}, 5);

  EXPECT_EQ(handlers[0].ns, 1);
  EXPECT_EQ(handlers[1].ns, 0);
  EXPECT_EQ(handlers[2].ns, 1);
  EXPECT_EQ(handlers[3].ns, 0.5);
}

TEST(LoadClock, of_a_real_thread_adds_up_to_no_more_than_its_time) {
  LoadClock clock;
  double cpu_s = 0.0;
  std::int64_t const wall_ns = ThreadClocks{}.wall_ns();

  clock.begin_spell();
  for (int handler = 0; handler < 1000; ++handler) clock.charge(cpu_s);
  clock.end_spell();

  PlaceTimes const times = clock.end_phase();
  double const wall_s = 1e-9 * static_cast<double>(ThreadClocks{}.wall_ns() - wall_ns);
  EXPECT_GT(cpu_s, 0.0);
  EXPECT_NEAR(cpu_s, times.cpu_s, 1e-9);
  EXPECT_LE(times.cpu_s, times.wall_s * (1.0 + 1e-9));
  EXPECT_LE(times.wall_s, wall_s);
}

}  // namespace
}  // namespace makespan::graph
