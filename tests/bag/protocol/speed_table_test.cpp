// SPDX-License-Identifier: Apache-2.0
// Goal: speeds are those of the recent chunks, weighted by their length. Method: chunks whose
// speeds are known.
#include "makespan/bag/protocol/speed_table.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "makespan/base/contracts.hpp"

namespace makespan::bag {
namespace {

TEST(SpeedTable, knows_nothing_at_first) {
  SpeedTable const speeds(3);

  EXPECT_EQ(speeds.workers(), 3);
  EXPECT_FALSE(speeds.measured(2));
  EXPECT_EQ(speeds.speed(2), Speed{0.0});
  EXPECT_EQ(speeds.total(), Speed{0.0});
}

TEST(SpeedTable, counts_the_unmeasured_as_the_fastest) {
  SpeedTable speeds(4);

  speeds.record(0, Work{10.0}, Seconds{1.0});
  speeds.record(1, Work{80.0}, Seconds{2.0});

  EXPECT_EQ(speeds.speed(0), Speed{10.0});
  EXPECT_EQ(speeds.speed(1), Speed{40.0});
  EXPECT_EQ(speeds.total(), Speed{10.0 + 40.0 + 2 * 40.0});
}

TEST(SpeedTable, weighs_older_chunks_less) {
  SpeedTable speeds(1);

  speeds.record(0, Work{10.0}, Seconds{1.0});
  speeds.record(0, Work{30.0}, Seconds{1.0});

  EXPECT_DOUBLE_EQ(speeds.speed(0).value(),
                   (SpeedTable::memory * 10.0 + 30.0) / (SpeedTable::memory + 1.0));
}

TEST(SpeedTable, forgets_all_but_3_percent_of_an_old_speed_in_ten_chunks) {
  SpeedTable speeds(1);
  for (int chunk = 0; chunk < 100; ++chunk) speeds.record(0, Work{100.0}, Seconds{1.0});

  for (int chunk = 0; chunk < 10; ++chunk) speeds.record(0, Work{10.0}, Seconds{1.0});

  // 0.7^10 = 0.028 of the way from 10 back to 100.
  EXPECT_NEAR(speeds.speed(0).value(), 10.0 + 0.028 * 90.0, 0.1);
}

TEST(SpeedTable, lets_a_tiny_odd_chunk_count_little) {
  SpeedTable speeds(1);
  for (int chunk = 0; chunk < 10; ++chunk) speeds.record(0, Work{100.0}, Seconds{1.0});

  speeds.record(0, Work{0.001}, Seconds{0.001});

  EXPECT_NEAR(speeds.speed(0).value(), 100.0, 0.1);
}

TEST(SpeedTable, leaves_out_chunks_that_tell_nothing) {
  SpeedTable speeds(1);

  speeds.record(0, Work{1.0}, Seconds{0.0});
  speeds.record(0, Work{0.0}, Seconds{1.0});

  EXPECT_FALSE(speeds.measured(0));
}

TEST(SpeedTable, counts_a_remembered_worker_as_measured) {
  SpeedTable speeds(2);

  speeds.remember(0, Speed{30.0});

  EXPECT_TRUE(speeds.measured(0));
  EXPECT_EQ(speeds.speed(0), Speed{30.0});
  EXPECT_EQ(speeds.total(), Speed{60.0});
  EXPECT_EQ(speeds.speed_seen(0), Speed{0.0});
  EXPECT_EQ(speeds.total_of(0).taken, Seconds{0.0});
}

TEST(SpeedTable, has_seen_a_speed_once_a_chunk_is_recorded) {
  SpeedTable speeds(1);
  speeds.remember(0, Speed{10.0});

  speeds.record(0, Work{20.0}, Seconds{1.0});

  EXPECT_EQ(speeds.speed_seen(0), speeds.speed(0));
  EXPECT_NEAR(speeds.speed(0).value(), 20.0, 0.001);
}

// A speed remembered k times too high makes a chunk that was to take a time take k times as long.
TEST(SpeedTable, is_at_most_1_point_7_times_too_high_after_one_chunk_however_wrong_the_memory) {
  for (double const too_high : {10.0, 1e3, 1e9}) {
    SpeedTable speeds(1);
    speeds.remember(0, Speed{too_high});
    Seconds const taken = SpeedTable::remembered_length * too_high;

    speeds.record(0, Speed{1.0} * taken, taken);

    EXPECT_LE(speeds.speed(0).value(), 1.0 + SpeedTable::memory) << too_high;
    EXPECT_GE(speeds.speed(0).value(), 1.0) << too_high;
  }
}

TEST(SpeedTable, is_right_within_a_fifth_after_a_millisecond_with_a_memory_too_low) {
  for (double const too_low : {10.0, 1e3, 1e9}) {
    SpeedTable speeds(1);
    speeds.remember(0, Speed{1.0 / too_low});

    for (int chunk = 0; chunk < 20; ++chunk) {
      speeds.record(0, Speed{1.0} * SpeedTable::remembered_length, SpeedTable::remembered_length);
    }

    EXPECT_GT(speeds.speed(0).value(), 0.8) << too_low;
  }
}

TEST(SpeedTable, sums_up_all_that_was_recorded_and_nothing_that_was_remembered) {
  SpeedTable speeds(1);
  speeds.remember(0, Speed{1000.0});

  for (int chunk = 1; chunk <= 4; ++chunk) speeds.record(0, Work{10.0 * chunk}, Seconds{2.0});

  EXPECT_DOUBLE_EQ(speeds.total_of(0).work.value(), 100.0);
  EXPECT_DOUBLE_EQ(speeds.total_of(0).taken.value(), 8.0);
}

TEST(SpeedTable, remembers_only_speeds_and_only_at_first) {
  SpeedTable speeds(1);

  for (double const wrong : {0.0, -1.0, std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(speeds.remember(0, Speed{wrong}), ContractViolated) << wrong;
  }
  speeds.record(0, Work{1.0}, Seconds{1.0});
  EXPECT_THROW(speeds.remember(0, Speed{1.0}), ContractViolated);
}

TEST(SpeedTable, expects_workers_that_it_has) {
  SpeedTable speeds(2);

  EXPECT_THROW(speeds.record(2, Work{1.0}, Seconds{1.0}), ContractViolated);
  EXPECT_THROW(static_cast<void>(speeds.speed(-1)), ContractViolated);
  EXPECT_THROW(SpeedTable(0), ContractViolated);
}

}  // namespace
}  // namespace makespan::bag
