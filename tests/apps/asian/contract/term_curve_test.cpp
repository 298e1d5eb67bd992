// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/contract/term_curve.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "makespan/base/error.hpp"

namespace makespan::asian {
namespace {

using enum CurveKind;

// One curve of its own.
struct OneCurve {
  std::vector<std::int8_t> kind;
  std::vector<std::int64_t> offset;
  std::vector<double> time;
  std::vector<double> value;

  OneCurve(CurveKind of, std::vector<double> times, std::vector<double> values)
      : kind{static_cast<std::int8_t>(of)},
        offset{0, static_cast<std::int64_t>(times.size())},
        time(std::move(times)),
        value(std::move(values)) {}

  [[nodiscard]] CurveColumns columns() const { return {kind, offset, time, value}; }
};

double total_at(OneCurve const& curve, double time) {
  Curves const curves{curve.columns()};
  return curves.at(0)->total_at(time);
}

TEST(TermCurve, integrates_zero_rates_with_constant_forwards_between) {
  OneCurve const curve(zero_rate, {1, 3}, {0.02, 0.04});

  EXPECT_DOUBLE_EQ(total_at(curve, 0), 0);
  EXPECT_DOUBLE_EQ(total_at(curve, 0.5), 0.01);
  EXPECT_DOUBLE_EQ(total_at(curve, 1), 0.02);
  EXPECT_DOUBLE_EQ(total_at(curve, 2), 0.07);  // half of the way from 0.02 to 0.12
  EXPECT_DOUBLE_EQ(total_at(curve, 3), 0.12);
}

TEST(TermCurve, integrates_forward_rates) {
  OneCurve const curve(forward_rate, {1, 3}, {0.02, -0.01});

  EXPECT_DOUBLE_EQ(total_at(curve, 1), 0.02);
  EXPECT_DOUBLE_EQ(total_at(curve, 2), 0.01);
  EXPECT_DOUBLE_EQ(total_at(curve, 3), 0);
}

TEST(TermCurve, has_linear_total_variance_between_implied_volatilities) {
  Curves const curves{OneCurve(volatility, {1, 4}, {0.3, 0.2}).columns()};
  Curve const& curve = *curves.at(0);

  EXPECT_DOUBLE_EQ(curve.total_at(1), 0.09);
  EXPECT_DOUBLE_EQ(curve.total_at(2.5), 0.125);
  EXPECT_DOUBLE_EQ(curve.total_at(4), 0.16);
  double const later = std::sqrt(0.07 / 3);
  EXPECT_DOUBLE_EQ(curve.root_total_at(1), 0.3);
  EXPECT_NEAR(curve.root_total_at(4), 0.3 + 3 * later, 1e-15);
  EXPECT_NEAR(curve.slope_now(), 0.09, 1e-15);
}

TEST(TermCurve, has_the_later_points_volatility_between_forward_ones) {
  Curves const curves{OneCurve(forward_volatility, {1, 2}, {0.3, 0.1}).columns()};
  Curve const& curve = *curves.at(0);

  EXPECT_NEAR(curve.total_at(1.5), 0.095, 1e-15);
  EXPECT_NEAR(curve.root_total_at(1.5), 0.35, 1e-15);
}

TEST(TermCurve, grows_with_forward_prices) {
  OneCurve const curve(forward_price, {0, 1, 2}, {100, 110, 99});

  EXPECT_NEAR(total_at(curve, 1), std::log(1.1), 1e-14);
  EXPECT_NEAR(total_at(curve, 1.5), 0.5 * (std::log(1.1) + std::log(0.99)), 1e-14);
  EXPECT_NEAR(total_at(curve, 2), std::log(0.99), 1e-14);
}

TEST(TermCurve, falls_at_a_proportional_dividend_and_stays) {
  OneCurve const curve(proportional_dividend, {0.5, 1}, {0.02, 0.03});

  EXPECT_DOUBLE_EQ(total_at(curve, 0.499), 0);
  EXPECT_NEAR(total_at(curve, 0.5), std::log(0.98), 1e-15);
  EXPECT_NEAR(total_at(curve, 0.5 - 1e-15), std::log(0.98), 1e-15);
  EXPECT_NEAR(total_at(curve, 7), std::log(0.98 * 0.97), 1e-15);
}

TEST(TermCurve, has_none_for_minus_one) {
  Curves const curves{{}};

  EXPECT_EQ(curves.at(-1), nullptr);
  EXPECT_THROW(static_cast<void>(curves.at(0)), std::out_of_range);
}

struct Wrong {
  CurveKind kind;
  std::vector<double> time;
  std::vector<double> value;
};

TEST(TermCurve, refuses_what_no_kernel_could_run_on) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::vector<Wrong> const wrong{
      {zero_rate, {}, {}},
      {zero_rate, {0, 1}, {0.1, 0.1}},
      {zero_rate, {1, 1}, {0.1, 0.1}},
      {zero_rate, {2, 1}, {0.1, 0.1}},
      {zero_rate, {none}, {0.1}},
      {zero_rate, {1}, {none}},
      {zero_rate, {1e5}, {1}},
      {volatility, {1, 2}, {0.3, 0.2}},  // total variance 0.09, then 0.08
      {volatility, {1}, {0}},
      {forward_volatility, {1, 2}, {0.2, 0}},
      {forward_price, {1, 2}, {100, 100}},
      {forward_price, {0}, {100}},
      {forward_price, {0, 1}, {100, 0}},
      {forward_price, {0, 1}, {-1, 2}},
      {cash_dividend, {1}, {-1}},
      {proportional_dividend, {1}, {1}},
      {curve_kind_count, {1}, {0.1}},
  };
  for (auto const& [kind, time, value] : wrong) {
    OneCurve const curve(kind, time, value);
    EXPECT_THROW(Curves{curve.columns()}, InputError) << static_cast<int>(kind);
  }
}

TEST(TermCurve, names_the_point_of_a_forward_as_it_was_given) {
  for (auto const& [time, value] :
       {std::pair{std::vector{0.0, 1.0, 0.5}, std::vector{9.0, 9.0, 9.0}},
        std::pair{std::vector{0.0, 1.0, 2.0}, std::vector{9.0, 9.0, -9.0}}}) {
    OneCurve const curve(forward_price, time, value);
    EXPECT_THAT([&] { Curves{curve.columns()}; },
                testing::ThrowsMessage<InputError>(testing::HasSubstr("curve 1: point 3 cannot")));
  }
}

TEST(TermCurve, refuses_columns_that_do_not_belong_together) {
  OneCurve curve(zero_rate, {1, 2}, {0.1, 0.1});
  curve.value.pop_back();
  EXPECT_THROW(Curves{curve.columns()}, InputError);
  curve = OneCurve(zero_rate, {1, 2}, {0.1, 0.1});
  curve.offset = {0, 3};
  EXPECT_THROW(Curves{curve.columns()}, InputError);
  curve.offset = {0};
  EXPECT_THROW(Curves{curve.columns()}, InputError);
  curve.offset = {2, 0};
  EXPECT_THROW(Curves{curve.columns()}, InputError);
}

}  // namespace
}  // namespace makespan::asian
