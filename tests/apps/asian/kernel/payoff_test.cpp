// SPDX-License-Identifier: Apache-2.0
// Goal: what one path contributes has the right mean, for prices and all Greeks. Method: instead of
// simulating, integrate. Over two fixings an arithmetic payoff is a double integral whose kink is
// known, so that means have 8 digits or more: the mean of a Greek is the difference of mean prices.
// A payoff on the lognormal is a double integral at any number of fixings: its means are
// log_outputs, for geometric options and for controls. On one lane; kernels_test.cpp compares the
// instruction sets.
#include "makespan/simd/one_lane.hpp"
// (before the bodies: it says what they are written in)
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <ostream>
#include <vector>

#include "apps/asian/price_differences.hpp"
#include "apps/asian/sample_contracts.hpp"
#include "makespan/apps/asian/estimate/exercise_jump.hpp"
#include "makespan/apps/asian/estimate/log_payoff.hpp"
#include "makespan/apps/asian/kernel/payoff-inl.hpp"

namespace makespan::asian {
namespace {

using one_lane::PathOutputs;
using one_lane::PathValues;

constexpr double z_end = 8.5;  // mass beyond: 1e-17

void add(PathOutputs const& path, double weight, Outputs& sum) {
  for (std::size_t k = 0; k < output_count; ++k) sum[k] += weight * path.value[k];
}

double density(double z) {
  return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
}

using PathOf = std::function<PathOutputs(double z)>;

// Adds weight times the integral of f over [low, high] against the normal density, by Boole's
// rule. The ends are just inside, where f has its limits from there.
void integrate(PathOf const& f, double low, double high, double weight, Outputs& sum) {
  constexpr int intervals = 200;
  if (high - low < 1e-13) return;
  double const inset = 1e-14 * (1 + std::fabs(low) + std::fabs(high));
  double const step = (high - low) / intervals;
  for (int i = 0; i <= intervals; ++i) {
    double const z = std::clamp(low + step * i, low + inset, high - inset);
    double const boole = i == 0 || i == intervals ? 7 : i % 2 == 1 ? 32 : i % 4 == 2 ? 12 : 14;
    add(f(z), weight * boole * step * 2 / 45 * density(z), sum);
  }
}

// The mean of f(outer, inner) over two independent normals; f has its kink at inner = kink(outer).
Outputs mean_of(std::function<PathOutputs(double, double)> const& f,
                std::function<double(double)> const& kink) {
  Outputs sum{};
  constexpr double step = 0.1;
  for (double outer = -z_end; outer <= z_end; outer += step) {
    double const at = std::clamp(kink(outer), -z_end, z_end);
    auto const inner = [&](double z) { return f(outer, z); };
    integrate(inner, -z_end, at, step * density(outer), sum);
    integrate(inner, at, z_end, step * density(outer), sum);
  }
  return sum;
}

// The path of two fixings, at the schedule's two times, for the two normals. `constant`: of a
// fixing at time 0.
PathValues two_fixings(Contract const& contract, Laid const& known, double z1, double z2) {
  Schedule const& schedule = known.schedule;
  double const sigma = contract.volatility;
  double const b1 = std::sqrt(schedule.time[0]) * z1;
  double const b[2] = {b1, b1 + std::sqrt(schedule.time[1] - schedule.time[0]) * z2};
  PathValues path{};
  path.average = known.law.arithmetic.constant;
  for (std::size_t i = 0; i < 2; ++i) {
    double const log_price =
        (contract.drift - 0.5 * sigma * sigma) * schedule.time[i] + sigma * b[i];
    double const part = schedule.weight[i] * std::exp(log_price);
    path.average += part;
    path.terminal = std::exp(log_price);
    path.logs += schedule.log_weight[i] * sigma * b[i];
    path.average_slope += part * (b[i] - sigma * schedule.time[i]);
    path.log_slope += schedule.log_weight[i] * (b[i] - sigma * schedule.time[i]);
    path.sum_time += part * schedule.time[i];
    path.sum_direction += part * schedule.direction[i];
    path.sum_direction2 += part * schedule.direction[i] * schedule.direction[i];
  }
  path.average_delta = path.average;
  path.exercise = path.logs;
  path.brownian = b[1];
  path.end_slope = b[1] - sigma * contract.expiry;
  return path;
}

// The second normal at which an arithmetic option on two fixings begins to be exercised.
double arithmetic_kink(Contract const& contract, Laid const& known, double z1) {
  Schedule const& schedule = known.schedule;
  double const sigma = contract.volatility;
  ArithmeticTerms const& terms = known.law.arithmetic;
  double const mu = contract.drift - 0.5 * sigma * sigma;
  double const first = std::exp(mu * schedule.time[0] + sigma * std::sqrt(schedule.time[0]) * z1);
  double const so_far = terms.constant + schedule.weight[0] * first;
  bool const on_price = contract.payoff == Payoff::average_price;
  double const open =
      on_price ? terms.level - so_far : contract.multiplier * (so_far + terms.level);
  double const weight =
      on_price ? schedule.weight[1] : 1 - contract.multiplier * schedule.weight[1];
  if (open <= 0) return -z_end;
  double const dt = schedule.time[1] - schedule.time[0];
  return (std::log(open / weight / first) - mu * dt) / (sigma * std::sqrt(dt));
}

// Discounted, in price units.
Outputs arithmetic_means(Contract const& contract) {
  Laid const known = laid(contract);
  ContractLaw const& law = known.law;
  bool const on_price = contract.payoff == Payoff::average_price;
  auto const outputs = [&](double z1, double z2) {
    PathValues const path = two_fixings(contract, known, z1, z2);
    return on_price ? one_lane::ArithmeticPrice<true>(law.common, law.arithmetic, law.log, path)
                    : one_lane::ArithmeticStrike<true>(law.common, law.arithmetic, law.log, path);
  };
  auto const kink = [&](double z1) { return arithmetic_kink(contract, known, z1); };
  return in_price_units(mean_of(outputs, kink), contract, law.discount);
}

Contract two_fixings_of(Contract contract) {
  contract.fixings = contract.first_fixing == 0 ? 3 : 2;
  contract.first_fixing = contract.first_fixing == 0 ? 0 : 0.5;
  contract.volatility = 0.3;
  contract.strike = 97;
  return contract;
}

struct NamedContract {
  char const* name;
  Contract contract;
};

void PrintTo(NamedContract const& named, std::ostream* out) {
  *out << named.name;
}

std::vector<NamedContract> contracts_of_two_fixings() {
  Contract const plain = monthly_call();
  Contract const now = with_start(monthly_call());
  return {{"price_call", two_fixings_of(plain)},
          {"price_put", two_fixings_of(put(plain))},
          {"price_call_with_start", two_fixings_of(now)},
          {"seasoned_price_put_with_start", two_fixings_of(put(seasoned(now)))},
          {"strike_call", two_fixings_of(on_strike(plain, 0.95))},
          {"strike_put_with_start", two_fixings_of(put(on_strike(now, 1.05)))},
          {"seasoned_strike_call_with_start", two_fixings_of(on_strike(seasoned(now), 1.1))}};
}

class ArithmeticPayoff : public testing::TestWithParam<NamedContract> {};

INSTANTIATE_TEST_SUITE_P(Payoff, ArithmeticPayoff, testing::ValuesIn(contracts_of_two_fixings()),
                         [](auto const& test) { return test.param.name; });

TEST_P(ArithmeticPayoff, has_Greeks_whose_means_are_differences_of_the_mean_price) {
  Contract contract = GetParam().contract;
  for (bool const drift_given : {false, true}) {
    contract.drift_given = drift_given;
    Outputs const means = arithmetic_means(contract);
    auto const price_of = [](Contract const& bumped) { return arithmetic_means(bumped)[price]; };

    expect_near(means, greeks_by_differences(contract, price_of), 2e-6);
  }
}

// Undiscounted means of the lognormal payoff, over the exercise variable's normal and the one
// orthogonal to it.
Outputs log_means(Laid const& known, Contract const& contract) {
  ContractLaw const& law = known.law;
  double const sigma = contract.volatility;
  double const s = law.log.deviation;
  bool const on_price = contract.payoff == Payoff::average_price;
  if (on_price) {
    double const kink = (std::log(law.log.strike) - law.log.level) / s;
    auto const outputs = [&](double, double z) {
      PathValues path{};
      path.logs = s * z;
      path.log_slope = path.logs / sigma - law.log.volatility_time;
      return one_lane::LogPrice<true>(law.common, law.log, std::exp(law.log.level + s * z), path);
    };
    return mean_of(outputs, [&](double) { return kink; });
  }
  // X = ln S_T - ln G = m + s z; ln S_T = terminal_level + a z + rest · other.
  double const end_variance = sigma * sigma * contract.expiry;
  double const a = known.schedule.direction.back();
  double const rest = std::sqrt(std::max(end_variance - a * a, 0.0));
  double const margin = law.terminal_level - law.log.level - std::log(contract.multiplier);
  auto const outputs = [&](double other, double z) {
    double const end = a * z + rest * other;
    PathValues path{};
    path.terminal = std::exp(law.terminal_level + end);
    path.brownian = end / sigma;
    path.logs = end - s * z;
    path.end_slope = path.brownian - law.common.volatility_time;
    path.log_slope = path.logs / sigma - law.log.volatility_time;
    return one_lane::LogStrike<true>(law.common, law.arithmetic, law.log,
                                     std::exp(law.log.level + path.logs), path);
  };
  return mean_of(outputs, [&](double) { return -margin / s; });
}

TEST(LogPayoff, outputs_are_the_means_of_what_paths_contribute) {
  std::vector<Contract> contracts;
  for (Contract base : {monthly_call(), with_start(monthly_call()), seasoned(monthly_call()),
                        put(seasoned(with_start(monthly_call())))}) {
    base.volatility = 0.35;
    base.expiry = 1.25;
    base.strike = 95;
    for (Contract const& contract : {base, on_strike(base, 0.9)}) {
      contracts.push_back(contract);  // the control of an arithmetic option
      contracts.push_back(geometric(contract));
    }
  }
  for (Contract const& contract : contracts) {
    Laid const known = laid(contract);
    Outputs const ours = log_outputs(known.law, contract.payoff);
    Outputs const means = log_means(known, contract);
    for (std::size_t k = 0; k < output_count; ++k) {
      EXPECT_NEAR(ours[k], means[k], 2e-8 * (1 + std::fabs(means[k]))) << k;
    }
  }
}

TEST(ExerciseJump, is_what_the_lognormal_payoff_jumps_by) {
  for (Contract const& contract :
       {monthly_call(), put(monthly_call()), put(with_start(seasoned(monthly_call())))}) {
    Laid const known = laid(contract);
    LogTerms const& log = known.law.log;
    Outputs const jump = exercise_jump(known.law, contract.payoff);
    auto const at = [&](double g) {
      PathValues path{};
      path.logs = std::log(g) - log.level;
      path.log_slope = path.logs / contract.volatility - log.volatility_time;
      return one_lane::LogPrice<true>(known.law.common, log, g, path);
    };
    PathOutputs const in = at(log.strike * (1 + 1e-6 * contract.side));
    PathOutputs const out = at(log.strike * (1 - 1e-6 * contract.side));

    EXPECT_EQ(jump[price], 0.0);
    for (std::size_t k = 1; k < output_count; ++k) {
      EXPECT_EQ(out.value[k], 0.0);
      EXPECT_NEAR(jump[k], in.value[k], 1e-4 * (1 + std::fabs(in.value[k]))) << k;
      EXPECT_NE(jump[k], 0.0) << k;
    }
  }
}

TEST(ExerciseJump, of_a_strike_is_finite_and_changes_sign_with_the_side) {
  Contract const contract = on_strike(seasoned(monthly_call()), 0.95);
  Outputs const jump = exercise_jump(laid(contract).law, contract.payoff);
  Outputs const other = exercise_jump(laid(put(contract)).law, contract.payoff);

  EXPECT_EQ(jump[price], 0.0);
  for (Output const k : {delta, vega, dividend_rho}) {
    EXPECT_NE(jump[k], 0.0) << k;
    EXPECT_NEAR(jump[k], -other[k], 1e-6 * std::fabs(jump[k])) << k;
  }
}

}  // namespace
}  // namespace makespan::asian
