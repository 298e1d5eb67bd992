// SPDX-License-Identifier: Apache-2.0
// Goal: weights follow speeds, later records counting more, and sum to the count of workers.
// Method: records worked out by hand.
#include "makespan/bag/policy/detail/worker_weights.hpp"

#include <gtest/gtest.h>

#include "drain.hpp"

namespace makespan::bag {
namespace {

TEST(WorkerWeights, count_later_records_more) {
  WorkerWeights weights;
  weights.forget(2);
  weights.record(0, Work{10}, Seconds{10});
  weights.record(0, Work{10}, Seconds{5});
  weights.record(1, Work{10}, Seconds{10});
  weights.refresh();

  // (10 + 2 * 10) / (10 + 2 * 5) = 1.5 and 1, over their mean of 1.25.
  EXPECT_DOUBLE_EQ(weights.of(0), 1.2);
  EXPECT_DOUBLE_EQ(weights.of(1), 0.8);
}

TEST(WorkerWeights, take_the_unknown_as_slow_itself_and_as_fast_for_others) {
  WorkerWeights weights;
  weights.forget(3);
  weights.record(0, Work{4}, Seconds{1});
  weights.record(1, Work{1}, Seconds{1});
  weights.refresh();

  // A mean of (4 + 1 + 4) / 3.
  EXPECT_DOUBLE_EQ(weights.of(0), 4.0 / 3.0);
  EXPECT_DOUBLE_EQ(weights.of(1), 1.0 / 3.0);
  EXPECT_DOUBLE_EQ(weights.of(2), 1.0 / 3.0);
}

TEST(WorkerWeights, are_even_before_anything_is_known) {
  WorkerWeights weights;
  weights.forget(2);
  weights.record(0, Work{0}, Seconds{1});
  weights.record(0, Work{1}, Seconds{0});
  weights.refresh();

  EXPECT_EQ(weights.of(0), 1.0);
  EXPECT_EQ(weights.of(1), 1.0);
  EXPECT_EQ(weights.records(0), 0);
}

TEST(WorkerWeights, change_with_refresh_only) {
  WorkerWeights weights;
  weights.forget(2);
  weights.record(0, Work{3}, Seconds{1});
  weights.record(1, Work{1}, Seconds{1});

  EXPECT_EQ(weights.of(0), 1.0);
  weights.refresh();
  EXPECT_EQ(weights.of(0), 1.5);
}

}  // namespace
}  // namespace makespan::bag
