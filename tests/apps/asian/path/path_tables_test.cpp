// SPDX-License-Identifier: Apache-2.0
// Goal: the tables say what the schedule says, rounded so that no sum is biased, and the growth is
// as good as it has to be. Method: definitions; sums; a quadrature of what a polynomial drops.
#include "makespan/apps/asian/path/path_tables.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "apps/asian/sample_contracts.hpp"

namespace makespan::asian {
namespace {

struct Tables {
  Laid known;
  PathTableStore store;
  PathTables tables;
};

Tables tables_of(Contract const& contract, Precision precision) {
  Tables made{laid(contract), {}, {}};
  made.tables = make_tables(contract, made.known.schedule, precision,
                            Kernels::named("one_lane").exp_all, made.store);
  return made;
}

TEST(PathTables, double_steps_are_the_schedule) {
  Tables const made = tables_of(with_start(monthly_call()), Precision::fp64);
  Schedule const& schedule = made.known.schedule;

  ASSERT_EQ(made.tables.steps_f64.size(), 12U);
  EXPECT_EQ(made.tables.steps, 12);
  EXPECT_EQ(made.tables.volatility, 0.2);
  EXPECT_EQ(terminal_scale(monthly_call(), Precision::fp64), 1.0);
  for (std::size_t i = 0; i < 12; ++i) {
    StepF64 const& step = made.tables.steps_f64[i];
    EXPECT_NEAR(step.root_dt, std::sqrt(1.0 / 12), 1e-15);
    EXPECT_NEAR(step.log_growth, (0.03 - 0.02) * schedule.time[i], 1e-16);
    EXPECT_EQ(step.weight, schedule.weight[i]);
    EXPECT_NEAR(step.log_weight, 0.2 * step.root_dt * schedule.tail_weight[i], 1e-16);
    EXPECT_EQ(step.time, schedule.time[i]);
    EXPECT_EQ(step.direction, schedule.direction[i]);
  }
}

TEST(PathTables, single_steps_are_the_schedule_in_martingale_form) {
  Contract const contract = seasoned(monthly_call());
  Tables const made = tables_of(contract, Precision::fp32);
  Schedule const& schedule = made.known.schedule;
  double const v = 0.2 * std::sqrt(1.0 / 12);

  ASSERT_EQ(made.tables.steps_f32.size(), 12U);
  EXPECT_NEAR(terminal_scale(contract, Precision::fp32), std::exp(0.01), 1e-15);
  for (std::size_t i = 0; i < 12; ++i) {
    StepF32 const& step = made.tables.steps_f32[i];
    GreekStepF32 const& greek = made.tables.greeks_f32[i];
    double const growth = schedule.weight[i] * std::exp(0.01 * schedule.time[i]);
    EXPECT_NEAR(step.spot_growth, growth, 2e-8 * growth + 1e-8);
    EXPECT_NEAR(step.log_weight, v * schedule.tail_weight[i], 1e-8);
    EXPECT_NEAR(greek.root_dt, std::sqrt(1.0 / 12), 1e-7);
    EXPECT_NEAR(greek.time_growth, growth * schedule.time[i], 1e-7);
    EXPECT_NEAR(greek.direction_growth, growth * schedule.direction[i], 1e-8);
    EXPECT_NEAR(greek.direction2_growth, growth * schedule.direction[i] * schedule.direction[i],
                1e-8);
  }
}

TEST(PathTables, roundings_of_the_weights_carry_and_do_not_add_up) {
  for (std::int64_t const fixings : {10, 365, 5000}) {
    Contract contract = monthly_call();
    contract.fixings = fixings;
    Tables const made = tables_of(contract, Precision::fp32);
    double rounded = 0;
    double exact = 0;
    double most = 0;
    for (std::size_t i = 0; i < made.tables.steps_f32.size(); ++i) {
      double const time = made.known.schedule.time[i];
      rounded += made.tables.steps_f32[i].spot_growth;
      exact += made.known.schedule.weight[i] * std::exp(0.01 * time);
      most = std::max(most, std::fabs(rounded - exact));
    }
    // Never off by more than the rounding of one weight, whatever their number.
    EXPECT_LE(most, 0x1p-24 / static_cast<double>(fixings) * 1.1) << fixings;
  }
}

int degree_of(Growth growth) {
  switch (growth) {
    case Growth::degree_3:
      return 3;
    case Growth::degree_4:
      return 4;
    case Growth::degree_6:
      return 6;
    case Growth::exponential:
      break;
  }
  return 1000;
}

// Mean of f(z) over a standard normal z.
template <class Function>
double mean_of(Function f) {
  double sum = 0;
  double const step = 0.01;
  for (int i = -1200; i <= 1200; ++i) {
    double const z = step * i;
    sum += f(z) * std::exp(-z * z / 2);
  }
  return sum * step / std::sqrt(2 * std::numbers::pi);
}

// Root mean square of what the best polynomial of `degree` misses of e^(v z), relative to that of
// e^(v z): the rest of its Hermite series, whose terms are orthogonal.
double missed(double v, int degree) {
  double sum = 0;
  double term = 1;
  for (int k = 1; k < 60; ++k) {
    term *= v * v / k;
    if (k > degree) sum += term;
  }
  return std::sqrt(sum);
}

TEST(PathTables, growth_is_the_cheapest_that_is_good_enough) {
  std::set<Growth> seen;
  for (double volatility = 0.01; volatility < 5; volatility *= 1.07) {
    for (std::int64_t const fixings : {1, 12, 365, 2000}) {
      Contract contract = monthly_call();
      contract.volatility = volatility;
      contract.fixings = fixings;
      contract.first_fixing = contract.last_fixing / static_cast<double>(fixings);
      double const v = volatility * std::sqrt(1 / static_cast<double>(fixings));
      double const steps = std::sqrt(static_cast<double>(fixings));
      Growth const growth = growth_for(volatility, laid(contract).schedule);
      int const degree = degree_of(growth);
      int const cheaper = degree == 4 ? 3 : degree == 6 ? 4 : degree > 6 ? 6 : 0;
      seen.insert(growth);

      // 10 %: the rule looks at the first term that is missed only.
      EXPECT_LT(steps * missed(v, degree), 1.1 * growth_error_max) << volatility << ' ' << fixings;
      EXPECT_GT(steps * missed(v, cheaper), growth_error_max) << volatility << ' ' << fixings;
    }
  }
  EXPECT_EQ(seen.size(), 4U);
}

TEST(PathTables, growth_polynomials_are_near_and_right_on_average) {
  for (double const volatility : {0.02, 0.1, 0.2, 0.5}) {
    Contract contract = monthly_call();
    contract.volatility = volatility;
    Tables const made = tables_of(contract, Precision::fp32);
    double const v = volatility * std::sqrt(1.0 / 12);
    int const degree = degree_of(made.tables.growth);
    for (StepF32 const& step : made.tables.steps_f32) {
      if (degree > 6) {
        EXPECT_NEAR(step.growth[0] / v, 1, 1e-7);
        continue;
      }
      auto const q = [&](double z) {
        double sum = 0;
        for (int k = degree; k >= 0; --k) sum = sum * z + static_cast<double>(step.growth[k]);
        return sum;
      };
      auto const off = [&](double z) { return q(z) - std::expm1(v * z); };
      // What rounding its coefficients to single leaves: 2^-25 of the largest, v.
      EXPECT_NEAR(mean_of(q), std::expm1(v * v / 2), 1e-7 * v);
      EXPECT_NEAR(mean_of(off), 0, 1e-7 * v);
      double const rms = std::sqrt(mean_of([&](double z) { return off(z) * off(z); }));
      EXPECT_LT(rms, growth_error_max / std::sqrt(12.0) * 1.1 + 1e-7 * v);
    }
  }
}

TEST(PathTables, growth_goes_by_the_longest_step) {
  std::vector<double> const times{0.001, 0.002, 0.9};
  Contract contract = monthly_call();
  contract.fixings = 3;
  contract.times = times;

  // v is 0.38 over the long step, 0.013 over the short ones.
  EXPECT_EQ(growth_for(0.4, laid(contract).schedule), Growth::exponential);
}

TEST(PathTables, are_made_anew_after_a_longer_one) {
  PathTableStore store;
  for (std::int64_t const fixings : {40, 3}) {
    Contract contract = monthly_call();
    contract.fixings = fixings;
    Laid const known = laid(contract);
    PathTables const tables = make_tables(contract, known.schedule, Precision::fp32,
                                          Kernels::named("auto").exp_all, store);
    EXPECT_EQ(tables.steps, fixings);
    EXPECT_EQ(tables.steps_f32.size(), static_cast<std::size_t>(fixings));
    EXPECT_EQ(tables.greeks_f32.size(), static_cast<std::size_t>(fixings));
  }
}

}  // namespace
}  // namespace makespan::asian
