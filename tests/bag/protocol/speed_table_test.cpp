// SPDX-License-Identifier: Apache-2.0
// Goal: speeds are those of the recent chunks, weighted by their length. Method: chunks whose
// speeds are known.
#include "makespan/bag/protocol/speed_table.hpp"

#include <gtest/gtest.h>

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

TEST(SpeedTable, expects_workers_that_it_has) {
  SpeedTable speeds(2);

  EXPECT_THROW(speeds.record(2, Work{1.0}, Seconds{1.0}), ContractViolated);
  EXPECT_THROW(static_cast<void>(speeds.speed(-1)), ContractViolated);
  EXPECT_THROW(SpeedTable(0), ContractViolated);
}

}  // namespace
}  // namespace makespan::bag
