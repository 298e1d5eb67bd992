// SPDX-License-Identifier: Apache-2.0
#include "makespan/base/quantity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <type_traits>

// What must not compile is in must_not_compile/quantity.cpp. All numbers here are exact in binary.
namespace makespan {
namespace {

TEST(Quantity, work_over_speed_is_time) {
  constexpr Seconds time = Work{6.0} / Speed{2.0};

  EXPECT_EQ(time.value(), 3.0);
}

TEST(Quantity, work_over_time_is_speed) {
  constexpr Speed speed = Work{6.0} / Seconds{3.0};

  EXPECT_EQ(speed.value(), 2.0);
}

TEST(Quantity, speed_times_time_is_work_in_both_orders) {
  constexpr Work work = Speed{2.0} * Seconds{3.0};

  EXPECT_EQ(work.value(), 6.0);
  EXPECT_EQ(Seconds{3.0} * Speed{2.0}, work);
}

TEST(Quantity, ratio_of_one_kind_is_a_number) {
  static_assert(std::is_same_v<decltype(Seconds{1.0} / Seconds{1.0}), double>);

  EXPECT_EQ(Seconds{3.0} / Seconds{2.0}, 1.5);
}

TEST(Quantity, sums_and_differences_stay_in_their_kind) {
  Work work{1.0};

  work += Work{2.0};
  work -= Work{0.5};

  EXPECT_EQ(work, Work{2.0} + Work{0.5});
  EXPECT_EQ(-work, Work{0.5} - Work{3.0});
}

TEST(Quantity, scales_by_a_number_from_both_sides) {
  EXPECT_EQ(2.0 * Seconds{1.5}, Seconds{3.0});
  EXPECT_EQ(Seconds{1.5} * 2.0, Seconds{3.0});
  EXPECT_EQ(Seconds{3.0} / 2.0, Seconds{1.5});
}

TEST(Quantity, compares_inside_its_kind) {
  EXPECT_LT(Seconds{1.0}, Seconds{2.0});
  EXPECT_GE(Seconds{2.0}, Seconds{2.0});
  EXPECT_NE(Seconds{1.0}, Seconds{2.0});
}

TEST(Quantity, starts_at_zero) {
  EXPECT_EQ(Work{}.value(), 0.0);
}

TEST(Quantity, is_a_double_in_memory_and_in_its_exceptions) {
  static_assert(sizeof(Work) == sizeof(double));
  static_assert(std::is_trivially_copyable_v<Work>);
  Seconds const undefined{std::numeric_limits<double>::quiet_NaN()};

  EXPECT_NE(undefined, undefined);
  EXPECT_TRUE(std::isinf((Work{1.0} / Speed{0.0}).value()));
}

}  // namespace
}  // namespace makespan
