// SPDX-License-Identifier: Apache-2.0
// Goal: what make_law knows without simulating is what follows from the definitions. Method: plain
// double sums over min(t_i, t_j) and over all fixings; parity and differences for the forward.
#include "makespan/apps/asian/contract/contract_law.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "apps/asian/price_differences.hpp"
#include "apps/asian/sample_contracts.hpp"

namespace makespan::asian {
namespace {

std::vector<double> const uneven{0.03, 0.2, 0.21, 0.5, 0.9};

Contract unevenly_fixed() {
  Contract contract = monthly_call();
  contract.fixings = 5;
  contract.times = uneven;
  contract.expiry = 1.25;
  return contract;
}

std::vector<Contract> various() {
  std::vector<Contract> all;
  for (Contract const& base : {monthly_call(), with_start(monthly_call()), seasoned(monthly_call()),
                               seasoned(with_start(monthly_call())), unevenly_fixed()}) {
    all.push_back(base);
    all.push_back(geometric(base));
    all.push_back(on_strike(base, 0.9));
    all.push_back(on_strike(geometric(base), 1.1));
  }
  return all;
}

// Weights p_i of ln S_i in ln G, by their definition.
std::vector<double> log_weights(Contract const& contract, Schedule const& schedule) {
  auto const total = static_cast<double>(contract.past_count + contract.fixings);
  bool const fixes_now = fixing_time(contract, 0) == 0;
  double average = fixes_now ? 1 / total : 0;
  for (std::size_t i = 0; i < schedule.time.size(); ++i) {
    average += schedule.weight[i] * std::exp(contract.drift * schedule.time[i]);
  }
  if (contract.payoff == Payoff::average_strike)
    average += contract.past_sum / total / contract.spot;
  std::vector<double> weights;
  for (std::size_t i = 0; i < schedule.time.size(); ++i) {
    double const forward = std::exp(contract.drift * schedule.time[i]);
    bool const arithmetic = contract.average == Average::arithmetic;
    weights.push_back(arithmetic ? schedule.weight[i] * forward / average : schedule.weight[i]);
  }
  return weights;
}

TEST(ContractLaw, variances_and_directions_are_the_double_sums) {
  for (Contract const& contract : various()) {
    Laid const known = laid(contract);
    auto const& time = known.schedule.time;
    auto const p = log_weights(contract, known.schedule);
    double variance = 0;
    std::vector<double> covariance(time.size());
    for (std::size_t i = 0; i < time.size(); ++i) {
      for (std::size_t j = 0; j < time.size(); ++j) {
        covariance[i] += p[j] * std::min(time[i], time[j]);
      }
      variance += p[i] * covariance[i];
    }
    double const sigma = contract.volatility;
    bool const on_price = contract.payoff == Payoff::average_price;
    double const exercise =
        on_price ? variance : contract.expiry + variance - 2 * covariance.back();
    double const deviation = sigma * std::sqrt(exercise);

    EXPECT_NEAR(known.law.log_variance, sigma * sigma * variance, 1e-15);
    EXPECT_NEAR(known.law.log.deviation, deviation, 1e-14);
    double tail = 0;
    for (std::size_t i = time.size(); i-- > 0;) {
      tail += p[i];
      double const with_end = on_price ? covariance[i] : time[i] - covariance[i];
      EXPECT_NEAR(known.schedule.log_weight[i], p[i], 1e-15);
      EXPECT_NEAR(known.schedule.tail_weight[i], tail, 1e-14);
      EXPECT_NEAR(known.schedule.covariance[i], covariance[i], 1e-14);
      EXPECT_NEAR(known.schedule.direction[i], sigma * sigma * with_end / deviation, 1e-13);
    }
  }
}

TEST(ContractLaw, the_variance_of_the_exercise_variable_goes_with_its_direction) {
  // The direction's inner product with the weights is the deviation itself: a_G for a price, and
  // a_T - a_G for a strike.
  for (Contract const& contract : various()) {
    Laid const known = laid(contract);
    double along = 0;
    for (std::size_t i = 0; i < known.schedule.time.size(); ++i) {
      along += known.schedule.log_weight[i] * known.schedule.direction[i];
    }
    bool const on_price = contract.payoff == Payoff::average_price;
    double const exercise = on_price ? along : known.schedule.direction.back() - along;

    EXPECT_NEAR(exercise, known.law.log.deviation, 1e-14);
    EXPECT_EQ(known.law.arithmetic.direction_end, on_price ? 0 : known.schedule.direction.back());
  }
}

// Three fixings a last place apart, of which the last is at expiry or a last place before it.
TEST(ContractLaw, of_an_average_just_before_expiry_loses_no_digits) {
  constexpr double gap = 0x1p-53;
  std::vector<double> const late{1 - 3 * gap, 1 - 2 * gap, 1 - gap};
  Contract contract = on_strike(monthly_call(), 1);
  contract.times = late;
  contract.fixings = 3;
  double const sigma = contract.volatility;
  // What S_T has of the increments before the second and third fixing and expiry, and G has not.
  for (auto const& [expiry, parts] :
       {std::pair{1 - gap, std::vector{1.0 / 3, 2.0 / 3}}, {1.0, {1.0 / 3, 2.0 / 3, 1}}}) {
    contract.expiry = expiry;
    double variance = 0;
    double with_end = 0;
    double with_logs = 0;
    for (double const part : parts) {
      variance += gap * part * part;
      with_end += gap * part;
      with_logs += gap * part * (1 - part);
    }
    double const root = std::sqrt(variance);
    for (Contract const& of : {contract, geometric(contract)}) {
      ContractLaw const law = laid(of).law;
      EXPECT_NEAR(law.log.deviation / (sigma * root), 1, 1e-9);
      EXPECT_NEAR(law.arithmetic.direction_end / (sigma * with_end / root), 1, 1e-9);
      EXPECT_NEAR(law.vega.end_exercise / (with_end / root), 1, 1e-9);
      EXPECT_NEAR(law.vega.logs_exercise / (with_logs / root), 1, 1e-9);
    }
  }
}

TEST(ContractLaw, of_an_average_that_is_its_last_price_has_a_deviation_all_the_same) {
  Contract contract = on_strike(monthly_call(), 1);
  contract.drift = 600;  // of 12 prices the last alone counts, to the last digit
  ContractLaw const law = laid(contract).law;

  EXPECT_GT(law.log.deviation, 0);
  EXPECT_LT(law.log.deviation, 1e-15);
}

TEST(ContractLaw, the_forward_is_the_mean_of_the_average) {
  Contract const contract = seasoned(with_start(monthly_call()));
  double average = 1.0 / 15;
  double by_time = 0;
  for (int i = 1; i <= 12; ++i) {
    average += std::exp(0.03 * i / 12) / 15;
    by_time += i / 12.0 * std::exp(0.03 * i / 12) / 15;
  }
  ContractLaw const law = laid(contract).law;

  EXPECT_NEAR(law.forward.average, average, 1e-14);
  EXPECT_NEAR(law.forward.average_time, by_time, 1e-14);
  EXPECT_NEAR(law.forward.terminal, std::exp(0.03), 1e-15);
  EXPECT_NEAR(law.discount, std::exp(-0.06), 1e-15);
  EXPECT_NEAR(law.past_share, 201.0 / 15 / 100, 1e-15);
  EXPECT_NEAR(law.arithmetic.constant, 1.0 / 15, 1e-16);
  EXPECT_NEAR(law.arithmetic.level, 1 - 201.0 / 15 / 100, 1e-15);
  EXPECT_NEAR(law.terminal_level, 0.03 - 0.02, 1e-15);
}

TEST(ContractLaw, the_control_has_the_forward_of_what_it_stands_for) {
  for (Contract const& contract : various()) {
    if (contract.average != Average::arithmetic) continue;
    ContractLaw const law = laid(contract).law;
    bool const on_price = contract.payoff == Payoff::average_price;
    double const total = law.forward.average + (on_price ? 0 : law.past_share);

    // E[G] is e^(level + variance / 2): the arithmetic forward, but for the concavity of
    // logarithms.
    double const g = std::exp(law.log.level + 0.5 * law.log_variance);
    EXPECT_LT(g, total);
    EXPECT_NEAR(g, total, 0.01 * total);
  }
}

TEST(ContractLaw, the_geometric_level_is_the_mean_of_the_logarithm) {
  Contract const contract = geometric(seasoned(with_start(monthly_call())));
  double mean = (std::log(98) + std::log(103) + std::log(100)) / 15;
  for (int i = 1; i <= 12; ++i) mean += (std::log(100) + (0.03 - 0.02) * i / 12) / 15;
  ContractLaw const law = laid(contract).law;

  EXPECT_NEAR(law.log.level, mean - std::log(100), 1e-14);
  EXPECT_NEAR(law.log.share, 13.0 / 15, 1e-15);
  EXPECT_NEAR(law.log.share_pde, 12.0 / 15, 1e-15);
}

// The linear payoff's price by its definition.
double linear_price(Contract const& contract) {
  auto const total = static_cast<double>(contract.past_count + contract.fixings);
  double average = contract.past_sum / total;
  for (std::int64_t i = 0; i < contract.fixings; ++i) {
    average += contract.spot * std::exp(contract.drift * fixing_time(contract, i)) / total;
  }
  double const end = contract.spot * std::exp(contract.drift * contract.expiry);
  double const payoff = contract.payoff == Payoff::average_price
                            ? average - contract.strike
                            : end - contract.multiplier * average;
  return std::exp(-contract.rate * contract.expiry) * payoff;
}

TEST(ContractLaw, forward_outputs_are_the_linear_price_and_its_differences) {
  for (Contract contract : various()) {
    if (contract.average != Average::arithmetic || !contract.times.empty()) continue;
    for (bool const drift_given : {false, true}) {
      contract.drift_given = drift_given;
      ContractLaw const law = laid(contract).law;
      Outputs const ours = forward_outputs(law, contract.payoff);

      expect_near(in_price_units(ours, contract, law.discount),
                  greeks_by_differences(contract, linear_price), 1e-8);
    }
  }
}

TEST(ContractLaw, the_cheaper_side_is_out_of_the_money) {
  for (Contract contract : various()) {
    if (contract.average != Average::arithmetic) continue;
    double const forward = linear_price(contract);
    EXPECT_EQ(cheaper_side(laid(contract).law, contract.payoff), forward > 0 ? -1 : 1);
    contract.strike = 80;
    contract.multiplier = 0.8;
    EXPECT_EQ(cheaper_side(laid(contract).law, contract.payoff), -1);
    contract.strike = 150;
    contract.multiplier = 1.5;
    EXPECT_EQ(cheaper_side(laid(contract).law, contract.payoff), 1);
  }
}

TEST(ContractLaw, the_put_is_simulated_when_a_sample_of_calls_would_miss_most) {
  Contract contract = monthly_call();
  contract.strike = 1e4;
  EXPECT_EQ(cheaper_side(laid(contract).law, contract.payoff), 1);
  contract.volatility = 3;  // the variance of the average's logarithm is above 1
  ASSERT_GT(laid(contract).law.log_variance, 1);
  EXPECT_EQ(cheaper_side(laid(contract).law, contract.payoff), -1);
}

}  // namespace
}  // namespace makespan::asian
