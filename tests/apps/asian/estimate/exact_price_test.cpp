// SPDX-License-Identifier: Apache-2.0
// Goal: contracts that need no simulation are found, and only they, and their prices and Greeks are
// exact. Method: published values; independent formulas; central differences; for each reason.
#include "makespan/apps/asian/estimate/exact_price.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include "apps/asian/price_differences.hpp"
#include "apps/asian/sample_contracts.hpp"

namespace makespan::asian {
namespace {

Outputs greeks_of(Contract const& contract, Method method = Method::mc) {
  Laid const known = laid(contract);
  auto const exact = exact_outputs(contract, method, known.law, known.schedule);
  EXPECT_TRUE(exact.has_value());
  EXPECT_TRUE(has_exact_price(contract, method));
  return in_price_units(exact.value_or(ExactOutputs{}).value, contract, known.law.discount);
}
double price_without_paths(Contract const& contract) {
  return greeks_of(contract)[price];
}

void expect_differences(Contract const& contract) {
  expect_near(greeks_of(contract), greeks_by_differences(contract, price_without_paths), 3e-7);
}

double normal(double x) {
  return 0.5 * std::erfc(-x / std::numbers::sqrt2);
}

// Black's formula, undiscounted.
double black(double side, double forward, double strike, double deviation) {
  double const d = std::log(forward / strike) / deviation;
  return side * (forward * normal(side * (d + deviation / 2)) -
                 strike * normal(side * (d - deviation / 2)));
}

// Rows R077 to R079 of tests/data/asian_prices.csv but for their fixings.
Contract seasoned_put() {
  Contract contract = put(monthly_call());
  contract.strike = 103;
  contract.rate = 0.2;
  contract.drift = 0.2 - 0.075;
  contract.volatility = 0.5;
  contract.past_count = 2;
  contract.past_sum = 194;
  return contract;
}

TEST(ExactPrice, of_a_certain_exercise_is_QuantLibs) {
  // Rows R075 and R076: a call on four prices, two of them past.
  Contract contract = monthly_call();
  contract.strike = 20;
  contract.fixings = 2;
  contract.past_count = 2;
  contract.past_sum = 200;
  contract.expiry = contract.last_fixing = 0.11666666666667;
  contract.first_fixing = contract.last_fixing - (2 * contract.last_fixing) / 3;

  EXPECT_NEAR(price_without_paths(contract), 79.557977422537, 1e-11);
  EXPECT_EQ(greeks_of(contract)[gamma], 0.0);
  EXPECT_EQ(greeks_of(contract)[vega], 0.0);
  expect_differences(contract);
  EXPECT_EQ(greeks_of(put(contract)), Outputs{});
}

TEST(ExactPrice, of_one_random_price_is_QuantLibs_and_Blacks) {
  // Row R077: past, today, and in 21 days; paid in a year.
  Contract contract = seasoned_put();
  contract.fixings = 2;
  contract.first_fixing = 0;
  contract.last_fixing = 0.05753424657534;
  EXPECT_NEAR(price_without_paths(contract), 3.65313278835868, 1e-11);
  expect_differences(contract);
  contract.drift_given = true;
  expect_differences(contract);

  // And without today's: Black on a third of the price.
  contract.fixings = 1;
  contract.first_fixing = contract.last_fixing;
  double const forward = 100 * std::exp(0.125 * contract.last_fixing) / 3;
  double const truth = black(-1, forward, 103 - 194.0 / 3, 0.5 * std::sqrt(contract.last_fixing));
  EXPECT_NEAR(price_without_paths(contract), std::exp(-0.2) * truth, 1e-12);
  expect_differences(contract);
}

TEST(ExactPrice, of_what_is_past_and_now_is_QuantLibs) {
  Contract contract = seasoned_put();  // row R078: only today's fixing is left
  contract.fixings = 1;
  contract.first_fixing = contract.last_fixing = 0;
  EXPECT_NEAR(price_without_paths(contract), 4.09365376538991, 1e-12);
  expect_differences(contract);

  contract.fixings = 0;  // row R079: all are past
  EXPECT_NEAR(price_without_paths(contract), 4.91238451846789, 1e-12);
  expect_differences(contract);
  contract.side = 1;
  EXPECT_EQ(price_without_paths(contract), 0.0);
}

TEST(ExactPrice, without_volatility_is_that_of_the_forward) {
  Contract contract = with_start(seasoned(monthly_call()));
  contract.volatility = 0;
  double average = (98 + 103 + 100) / 15.0;
  for (int i = 1; i <= 12; ++i) average += 100 * std::exp(0.03 * i / 12) / 15;

  EXPECT_NEAR(price_without_paths(contract), std::exp(-0.06) * (average - 100), 1e-12);
  EXPECT_EQ(price_without_paths(put(contract)), 0.0);
  Contract const strike_option = on_strike(contract, 0.9);
  double const end = 100 * std::exp(0.03);
  EXPECT_NEAR(price_without_paths(strike_option), std::exp(-0.06) * (end - 0.9 * average), 1e-12);
  EXPECT_EQ(price_without_paths(put(strike_option)), 0.0);
}

TEST(ExactPrice, with_next_to_no_volatility_or_time_is_that_of_the_forward) {
  for (Contract contract : {monthly_call(), on_strike(monthly_call(), 0.9)}) {
    contract.volatility = 0;
    double const still = price_without_paths(contract);
    contract.volatility = 1e-16;
    EXPECT_EQ(price_without_paths(contract), still);
    contract.volatility = 0.2;
    contract.expiry = contract.last_fixing = 1e-40;
    contract.first_fixing = 1e-41;
    EXPECT_NEAR(price_without_paths(contract), contract.payoff == Payoff::average_price ? 0 : 10,
                1e-10);
  }
}

TEST(ExactPrice, with_fixings_an_instant_from_now_is_that_of_the_forward) {
  std::vector<double> const instants{1e-323, 2e-323};
  Contract contract = monthly_call();
  contract.times = instants;
  contract.strike = 99;
  for (std::int64_t const fixings : {1, 2}) {
    contract.times = std::span{instants}.first(static_cast<std::size_t>(fixings));
    contract.fixings = fixings;
    for (Contract const& of : {contract, geometric(contract)}) {
      EXPECT_NEAR(price_without_paths(of), std::exp(-0.06), 1e-12);
      EXPECT_EQ(price_without_paths(put(of)), 0.0);
    }
  }
}

// The last fixing is at expiry, the first a last place before it.
TEST(ExactPrice, of_a_geometric_average_just_before_expiry_is_Margrabes) {
  std::vector<double> const late{1 - 0x1p-53, 1};
  Contract contract = geometric(on_strike(monthly_call(), 1));
  contract.times = late;
  contract.fixings = 2;
  double const deviation = 0.2 * std::sqrt(0x1p-53) / 2;
  double const truth = 100 * std::exp(0.03 - 0.06) * deviation / std::sqrt(2 * std::numbers::pi);

  EXPECT_NEAR(price_without_paths(contract), truth, 1e-13);
  EXPECT_NEAR(price_without_paths(put(contract)), truth, 1e-13);
  EXPECT_NEAR(greeks_of(contract)[vega], truth / 0.2, 1e-13);
}

TEST(ExactPrice, without_volatility_has_the_differences_as_Greeks) {
  // But for vega, at whose end the volatility is: the payoff cannot be bumped downwards there.
  for (Contract base : {monthly_call(), with_start(seasoned(monthly_call()))}) {
    base.volatility = 0;
    for (Contract const& contract :
         {base, geometric(base), on_strike(base, 0.9), on_strike(geometric(base), 0.9)}) {
      auto const flat = [](Contract bumped) {
        bumped.volatility = 0;
        return price_without_paths(bumped);
      };
      Outputs ours = greeks_of(contract);
      ours[vega] = 0;
      expect_near(ours, greeks_by_differences(contract, flat), 3e-7);
    }
  }
}

TEST(ExactPrice, of_an_end_price_against_a_known_average_is_Blacks) {
  Contract contract = on_strike(seasoned(monthly_call()), 0.95);
  contract.fixings = 0;
  double const forward = 100 * std::exp(0.03);
  EXPECT_NEAR(price_without_paths(contract),
              std::exp(-0.06) * black(1, forward, 0.95 * 201 / 2, 0.2), 1e-12);
  expect_differences(contract);
  expect_differences(put(contract));
  expect_differences(geometric(contract));

  contract.fixings = 1;  // and one now, which moves with the spot
  contract.first_fixing = contract.last_fixing = 0;
  EXPECT_NEAR(price_without_paths(contract),
              std::exp(-0.06) * black(1, forward, 0.95 * 301 / 3, 0.2), 1e-12);
  expect_differences(contract);
  expect_differences(put(contract));
  expect_differences(geometric(contract));
  expect_differences(put(geometric(contract)));
}

TEST(ExactPrice, of_one_strike_fixing_is_Margrabes) {
  Contract contract = on_strike(monthly_call(), 1.05);
  contract.fixings = 1;
  contract.first_fixing = contract.last_fixing = 0.4;
  double const end = 100 * std::exp(0.03);
  double const fixed = 105 * std::exp(0.03 * 0.4);

  EXPECT_NEAR(price_without_paths(contract),
              std::exp(-0.06) * black(1, end, fixed, 0.2 * std::sqrt(0.6)), 1e-12);
  expect_differences(contract);
  expect_differences(put(contract));
}

TEST(ExactPrice, of_the_end_price_against_itself_is_linear) {
  Contract contract = on_strike(monthly_call(), 0.9);
  contract.fixings = 1;
  contract.first_fixing = contract.last_fixing = 1;

  EXPECT_NEAR(price_without_paths(contract), std::exp(-0.03) * 10, 1e-12);
  expect_differences(contract);
  EXPECT_EQ(price_without_paths(put(contract)), 0.0);
  contract.multiplier = 1;
  EXPECT_EQ(price_without_paths(contract), 0.0);
}

TEST(ExactPrice, of_an_end_price_that_is_the_last_fixing_is_Blacks) {
  // S_T - k (past + S_T) / n is a multiple of S_T against k times the past.
  Contract contract = on_strike(seasoned(monthly_call()), 0.95);
  contract.fixings = 1;
  contract.first_fixing = contract.last_fixing = contract.expiry;
  double const weight = 1 - 0.95 / 3;
  double const forward = weight * 100 * std::exp(0.03);
  EXPECT_NEAR(price_without_paths(contract),
              std::exp(-0.06) * black(1, forward, 0.95 * 201 / 3, 0.2), 1e-12);
  expect_differences(contract);
  expect_differences(put(contract));

  contract.fixings = 2;  // and one now
  contract.first_fixing = 0;
  double const with_now = (1 - 0.95 / 4) * 100 * std::exp(0.03);
  EXPECT_NEAR(price_without_paths(contract),
              std::exp(-0.06) * black(1, with_now, 0.95 * 301 / 4, 0.2), 1e-12);
  expect_differences(contract);
  expect_differences(put(contract));
}

TEST(ExactPrice, of_an_end_price_of_no_weight_is_linear) {
  // With k = 4 of 3 fixings S_T counts -1/3: a call never pays, a put always.
  Contract contract = put(on_strike(seasoned(monthly_call()), 4));
  contract.fixings = 1;
  contract.first_fixing = contract.last_fixing = contract.expiry;
  double const linear = 4 * (201 + 100 * std::exp(0.03)) / 3 - 100 * std::exp(0.03);

  EXPECT_NEAR(price_without_paths(contract), std::exp(-0.06) * linear, 1e-11);
  expect_differences(contract);
  contract.side = 1;
  EXPECT_EQ(price_without_paths(contract), 0.0);
  contract.multiplier = 3;  // and with k = 3 nothing at all
  EXPECT_EQ(price_without_paths(contract), 0.0);
  EXPECT_NEAR(price_without_paths(put(contract)), std::exp(-0.06) * 201, 1e-11);
}

TEST(ExactPrice, of_a_geometric_average_is_left_to_the_plain_method) {
  for (Contract const& contract :
       {geometric(monthly_call()), on_strike(geometric(monthly_call()), 1)}) {
    EXPECT_TRUE(has_exact_price(contract, Method::mc));
    EXPECT_TRUE(has_exact_price(contract, Method::rqmc));
    EXPECT_FALSE(has_exact_price(contract, Method::mc_plain));
    expect_differences(contract);
  }
}

TEST(ExactPrice, is_not_claimed_for_what_must_be_simulated) {
  Contract two = monthly_call();
  two.fixings = 2;
  Contract strike_and_now = on_strike(monthly_call(), 1);
  strike_and_now.fixings = 2;
  strike_and_now.first_fixing = 0;
  strike_and_now.expiry = 1.25;
  Contract seasoned_strike = on_strike(seasoned(monthly_call()), 1);
  seasoned_strike.fixings = 1;
  seasoned_strike.first_fixing = seasoned_strike.last_fixing;
  seasoned_strike.expiry = 1.25;
  for (Contract const& contract :
       {monthly_call(), with_start(monthly_call()), seasoned(monthly_call()), two,
        on_strike(monthly_call(), 1), strike_and_now, seasoned_strike}) {
    Laid const known = laid(contract);
    for (Method const method : {Method::mc, Method::mc_plain, Method::rqmc}) {
      EXPECT_FALSE(has_exact_price(contract, method));
      EXPECT_FALSE(exact_outputs(contract, method, known.law, known.schedule).has_value());
    }
  }
}

TEST(ExactPrice, is_exercised_for_certain_from_the_level_of_nought_on) {
  Contract contract = seasoned(monthly_call());  // 14 fixings, 201 from the past
  contract.strike = 201.0 / 14;
  EXPECT_TRUE(has_exact_price(contract, Method::mc));
  contract.strike = std::nextafter(201.0 / 14, 100);
  EXPECT_FALSE(has_exact_price(contract, Method::mc));
}

}  // namespace
}  // namespace makespan::asian
