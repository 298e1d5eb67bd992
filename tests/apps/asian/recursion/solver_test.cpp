// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/recursion/solver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

#include "makespan/apps/asian/kernel/kernels.hpp"

namespace makespan::asian::recursion {
namespace {

constexpr double drift = 0.05;

SumLaw law_at(std::vector<double> const& times, double volatility) {
  SumLaw law;
  double before = 0;
  for (double const time : times) {
    double const dt = time - before;
    before = time;
    law.add(drift * dt, volatility * volatility * dt, 1 / static_cast<double>(times.size()),
            volatility * dt, dt);
  }
  return law;
}

SumLaw regular(int fixings, double volatility, double years) {
  std::vector<double> times;
  for (int i = 1; i <= fixings; ++i) times.push_back(years * i / fixings);
  return law_at(times, volatility);
}

asian::Kernels const& fastest() {
  return *asian::Kernels::available().front();
}

// Discounted calls on 100 at `drift`, from tests/python/oracle, which is good to 1e-10.
struct Known {
  int fixings;
  double volatility;
  double years;
  double strike;
  double price;
};
constexpr Known known[] = {{365, 0.2, 1, 100, 5.7760240777},  {365, 0.2, 1, 110, 1.9996011938},
                           {365, 0.05, 1, 100, 2.7231541895}, {252, 0.3, 1, 100, 7.9708432725},
                           {12, 0.3, 1, 100, 8.4742895370},   {12, 0.2, 1, 150, 0.0060604464},
                           {52, 0.5, 3, 100, 21.6573593068},  {12, 1, 4, 100, 44.0752495957},
                           {2, 0.2, 1, 100, 8.1111829764}};

TEST(Solver, gives_the_oracles_prices_within_its_bound) {
  Solver solver(fastest());
  for (Known const& one : known) {
    solver.solve(regular(one.fixings, one.volatility, one.years), {});
    double const scale = 100 * std::exp(-drift * one.years);
    ASSERT_TRUE(solver.is_resolved());
    EXPECT_LE(solver.bounds()[call_value], 2e-8);
    EXPECT_NEAR(scale * solver.at(one.strike / 100)[call_value], one.price,
                scale * solver.bounds()[call_value])
        << one.fixings;
    // The bound is cautious: what it bounds is much smaller.
    EXPECT_NEAR(scale * solver.at(one.strike / 100)[call_value], one.price, 1e-8) << one.fixings;
  }
}

// At the money: a normal's mean above 0.
TEST(Solver, solves_prices_that_hardly_move) {
  Solver solver(fastest());
  for (double const volatility : {1e-4, 1e-7, 1e-8, 1e-9, 1e-12}) {
    SumLaw law = regular(12, volatility, 1);
    for (double& growth : law.growth) growth = 0;
    solver.solve(law, {});
    double const deviation = volatility * std::sqrt(13.0 * 25 / (6 * 144));  // of k / 12, squared

    ASSERT_TRUE(solver.is_resolved()) << volatility;
    EXPECT_NEAR(solver.at(1)[call_value], deviation / std::sqrt(2 * std::numbers::pi),
                1e-13 + 1e-6 * volatility)
        << volatility;
  }
}

TEST(Solver, gives_the_same_bits_on_every_instruction_set) {
  std::vector<Quantities> values;
  for (asian::Kernels const* const kernels : asian::Kernels::available()) {
    Solver solver(*kernels);
    for (SumLaw const& law : {regular(1, 0.2, 1), regular(2, 0.3, 1), regular(37, 0.4, 2),
                              law_at({1e-3, 0.3, 0.3001, 4}, 0.3)}) {
      solver.solve(law, {.derivatives = Derivatives::last_weight_too});
      for (double const strike : {0.2, 0.9, 1.0, 1.3}) values.push_back(solver.at(strike));
      values.push_back(solver.bounds());
    }
  }
  std::size_t const each = values.size() / asian::Kernels::available().size();
  for (std::size_t i = each; i < values.size(); ++i) EXPECT_EQ(values[i], values[i % each]) << i;
}

// Times that lie as unevenly as they can.
std::vector<double> uneven_times(std::mt19937_64& random, int fixings, double years) {
  std::uniform_real_distribution<double> uniform;
  std::vector<double> times;
  for (int i = 0; i < fixings; ++i) {
    bool const is_early = uniform(random) < 0.5;
    double const small = std::exp(-2 - 8 * uniform(random));
    times.push_back(years * (is_early ? small : 1 - small));
  }
  std::ranges::sort(times);
  return times;
}

TEST(Solver, bounds_hold_against_a_finer_solution) {
  std::mt19937_64 random{20261125};
  std::uniform_real_distribution<double> uniform;
  Solver solver(fastest());
  Solver finer(fastest());
  int differing = 0;
  for (int round = 0; round < 60; ++round) {
    double const years = std::exp(-2 + 4 * uniform(random));
    double const deviation = std::exp(std::log(0.01) + uniform(random) * std::log(100.0));
    auto const fixings = 2 + static_cast<int>(12 * uniform(random));
    SumLaw const law = law_at(uneven_times(random, fixings, years), deviation / std::sqrt(years));
    solver.solve(law, {.derivatives = Derivatives::last_weight_too});
    finer.solve(law, {.derivatives = Derivatives::last_weight_too, .tolerance = 1e-14});
    for (int i = -20; i <= 20; ++i) {
      double const strike = std::exp(drift * years / 2 + deviation * i / 7);
      Quantities const values = solver.at(strike);
      Quantities const fine = finer.at(strike);
      for (std::size_t k = 0; k < quantity_count; ++k) {
        EXPECT_NEAR(values[k], fine[k], solver.bounds()[k] + finer.bounds()[k])
            << round << " " << strike << " " << k;
        differing += values[k] != fine[k] ? 1 : 0;
      }
    }
  }
  EXPECT_GT(differing, 1000);  // they are two solutions
}

double normal_cdf(double x) {
  return 0.5 * std::erfc(-x / std::numbers::sqrt2);
}
double normal_density(double x) {
  return std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi);
}

// Of two prices. What a call lacks to its line is a put on the second price, if the first one
// leaves something of the strike: the integral of Black's formula over what it leaves,
// mean * e^s. In s it is smooth, and nothing at both ends, so that the trapezoidal rule has all
// digits.
Quantities integral_of_two(SumLaw const& law, double strike) {
  double const mean = law.weight[1] * std::exp(law.growth[1]);
  double const deviation = std::sqrt(law.variance[1]);
  double const first = std::sqrt(law.variance[0]);
  Quantities sums{};
  constexpr double step = 2e-3;
  for (double s = -14 * deviation - 8; s < 60; s += step) {
    double const left = mean * std::exp(s);
    double const log_price = std::log(strike / law.weight[0]) - std::log1p(left / law.weight[0]);
    double const price = std::exp(log_price);
    double const at = (log_price - law.growth[0]) / first + 0.5 * first;
    double const share = normal_density(at) / first * left / (law.weight[0] + left) * step;
    double const lower = -s / deviation - 0.5 * deviation;
    double const put = left * normal_cdf(-lower) - mean * normal_cdf(-lower - deviation);
    sums[call_value] += share * price * put;
    sums[slope] += share * normal_cdf(-lower);
    sums[curvature] += share * normal_density(lower) / (left * deviation) / price;
  }
  double const forward = std::exp(law.growth[0]) * (law.weight[0] + mean);
  sums[call_value] += forward - strike;
  sums[slope] = strike * (sums[slope] - 1);
  sums[curvature] *= strike * strike;
  return sums;
}

SumLaw of_two(double deviation, double first_part, double first_weight) {
  SumLaw law;
  double const variance = deviation * deviation;
  for (auto const& [part, weight] :
       {std::pair{first_part, first_weight}, std::pair{1 - first_part, 1 - first_weight}}) {
    law.add(drift * part, variance * part, weight, deviation * part, part);
  }
  return law;
}

// Volatile ones have the most to lose: where little is left of the strike, much may come yet.
TEST(Solver, bounds_hold_against_an_integral) {
  std::mt19937_64 random{20261129};
  std::uniform_real_distribution<double> uniform;
  std::vector<SumLaw> laws{of_two(1.5, 0.2, 0.5), of_two(1.3, 0.3, 0.5), of_two(1.15, 0.15, 0.5)};
  for (int round = 0; round < 12; ++round) {
    laws.push_back(of_two(0.1 + 1.8 * uniform(random), 0.05 + 0.9 * uniform(random),
                          0.05 + 0.9 * uniform(random)));
  }
  Solver solver(fastest());
  for (SumLaw const& law : laws) {
    solver.solve(law, {.derivatives = Derivatives::volatility_and_drift});
    ASSERT_TRUE(solver.is_resolved());
    for (double const strike : {0.05, 0.3, 0.6, 0.8, 1.0, 1.2, 1.7, 4.0}) {
      Quantities const values = solver.at(strike);
      Quantities const right = integral_of_two(law, strike);
      for (Quantity const one : {call_value, slope, curvature}) {
        EXPECT_NEAR(values[one], right[one], 0.25 * solver.bounds()[one])
            << law.variance[0] << " " << law.variance[1] << " " << strike << " " << one;
      }
    }
  }
}

TEST(Solver, is_its_line_below_and_nothing_above) {
  Solver solver(fastest());
  solver.solve(regular(12, 0.2, 1), {.derivatives = Derivatives::last_weight_too});
  double const forward = solver.at(0)[call_value];
  for (double const strike : {-3.0, 0.0, 1e-310, 1e-3}) {
    EXPECT_NEAR(solver.at(strike)[call_value], forward - strike, 1e-15) << strike;
    EXPECT_EQ(solver.at(strike)[by_volatility], 0) << strike;
  }
  EXPECT_EQ(solver.at(1e3), Quantities{});
}

// A moment after 50 years that swing widely takes more points than there may be.
TEST(Solver, has_no_number_where_it_has_no_solution) {
  Solver solver(fastest());
  solver.solve(regular(12, 0.2, 1), {});
  solver.solve(law_at({50, 50 + 1e-9}, 1.0), {});
  EXPECT_FALSE(solver.is_resolved());
  EXPECT_TRUE(std::isnan(solver.at(1)[call_value]));
  EXPECT_TRUE(std::isinf(solver.bounds()[call_value]));
}

TEST(Solver, says_that_it_has_not_resolved_what_is_too_wide) {
  Solver solver(fastest());
  solver.solve(regular(12, 5, 9), {});
  EXPECT_FALSE(solver.is_resolved());
  EXPECT_GT(solver.bounds()[call_value], 1e-8);
}

}  // namespace
}  // namespace makespan::asian::recursion
