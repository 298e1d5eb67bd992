// SPDX-License-Identifier: Apache-2.0
// Goal: rows of baskets are priced right, with honest Greeks, by every method that can, and with
// the same bits wherever they were computed. Method: baskets that are one asset against the
// recursion; plain paths against controlled ones and low-discrepancy ones; Greeks against
// differences of prices from the same random numbers; a book under many settings, compared by bits.
#include <gtest/gtest.h>

#include <cmath>

#include "apps/asian/basket_contracts.hpp"
#include "apps/asian/mixed_book.hpp"
#include "makespan/apps/asian/run/pricing_run.hpp"
#include "makespan/base/error.hpp"

namespace makespan::asian {
namespace {

std::vector<Contract> basket_rows() {
  Contract late = monthly_call();
  late.last_fixing = 0.75;
  return {monthly_call(), put(seasoned(with_start(monthly_call()))), late, on_strike(late, 1.02),
          put(on_strike(seasoned(with_start(monthly_call())), 0.95))};
}

Contract at_strike(Contract contract, double strike) {
  contract.strike = strike;
  return contract;
}

std::vector<BasketOf> baskets() {
  return {single(), halves(), five(), opposed(), spread(), three_for_two()};
}

// Every contract on every basket; strikes are near the baskets' values. Spreads are not seasoned:
// their past prices would be those of one asset.
BookColumns basket_book(std::int64_t paths) {
  BookColumns columns;
  std::uint64_t key = 500;
  for (BasketOf const& basket : baskets()) {
    std::int32_t const number = add_basket(columns, basket);
    double net = 0;
    bool has_short = false;
    for (Underlying const& one : basket.underlyings) {
      net += one.weight * one.spot;
      has_short |= one.weight < 0;
    }
    for (Contract contract : basket_rows()) {
      contract.key = ++key;
      contract.paths = paths;
      contract.strike = net;
      if (has_short) contract.past_sum = 2 * net;
      add_basket_row(columns, contract, number);
    }
  }
  std::int32_t const curve =
      columns.add_curve(CurveKind::volatility, {0.2, 0.26, 2}, {0.3, 0.29, 0.2});
  std::int32_t const with_curve = add_basket(columns, five(), curve);
  for (Contract contract : basket_rows()) {
    contract.key = ++key;
    contract.paths = paths;
    add_basket_row(columns, contract, with_curve);
  }
  add_basket_row(columns, monthly_call(), -1);
  return columns;
}

TEST(BasketPricing, of_one_asset_agrees_with_the_recursion) {
  for (BasketOf const& basket : {single(), halves()}) {
    for (Contract contract : basket_rows()) {
      BookColumns columns;
      std::int32_t const number = add_basket(columns, basket);
      contract.paths = is_small_build ? 1 << 13 : 1 << 16;
      add_basket_row(columns, contract, number);
      add_basket_row(columns, contract, -1);
      columns.paths.back() = 0;
      columns.std_error.back() = 1e-9;
      PricingRun run{columns.book(), settings_of(Method::automatic, true)};
      ResultBook const& results = (static_cast<void>(run.summary()), run.results());
      ASSERT_EQ(results.method[0], Method::mc);
      ASSERT_EQ(results.method[1], Method::exact);
      for (std::size_t k = 0; k < output_count; ++k) {
        if (std::isnan(results.value[k][0])) continue;
        double const scale = std::fabs(results.value[k][1]);
        EXPECT_NEAR(results.value[k][0], results.value[k][1],
                    4.5 * results.std_error[k][0] + 1e-9 * (1 + scale))
            << k << ' ' << basket.underlyings.size();
      }
      // Only an average strike, whose early prices count negatively, may lack its gamma.
      bool const on_price = contract.payoff == Payoff::average_price;
      EXPECT_TRUE(!on_price || !std::isnan(results.value[gamma][0]));
      EXPECT_GT(results.variance_reduction[0], 50);
    }
  }
}

TEST(BasketPricing, agrees_between_plain_controlled_and_low_discrepancy_paths) {
  BookColumns const plain = basket_book(is_small_build ? 1 << 14 : 1 << 17);
  BookColumns const controlled = basket_book(is_small_build ? 1 << 12 : 1 << 14);
  PricingRun of_plain{plain.book(), settings_of(Method::mc_plain, true)};
  PricingRun of_controlled{controlled.book(), settings_of(Method::mc, true)};
  PricingRun of_sobol{controlled.book(), settings_of(Method::rqmc, true)};
  ASSERT_TRUE(of_plain.summary().complete && of_controlled.summary().complete &&
              of_sobol.summary().complete);
  ResultBook const& theirs = of_plain.results();
  for (PricingRun* run : {&of_controlled, &of_sobol}) {
    ResultBook const& ours = run->results();
    for (std::size_t row = 0; row < plain.spot.size(); ++row) {
      for (std::size_t k = 0; k < output_count; ++k) {
        ASSERT_EQ(std::isnan(ours.value[k][row]), std::isnan(theirs.value[k][row])) << row;
        if (std::isnan(ours.value[k][row])) continue;
        double const error = std::hypot(ours.std_error[k][row], theirs.std_error[k][row]);
        EXPECT_NEAR(ours.value[k][row], theirs.value[k][row], 4.8 * error + 1e-9)
            << row << ' ' << k;
      }
      EXPECT_GT(ours.variance_reduction[row], 8) << row;
    }
  }
}

TEST(BasketPricing, smoothed_agrees_and_has_far_smaller_errors) {
  BookColumns const columns = basket_book(is_small_build ? 1 << 12 : 1 << 14);
  BookColumns const many = basket_book(is_small_build ? 1 << 14 : 1 << 18);
  PricingRun kinked{columns.book(), settings_of(Method::rqmc, true)};
  PricingRun smooth{columns.book(), settings_of(Method::rqmc_smooth, true)};
  PricingRun reference{many.book(), settings_of(Method::mc, true)};
  ASSERT_TRUE(kinked.summary().complete && smooth.summary().complete &&
              reference.summary().complete);
  ResultBook const& ours = smooth.results();
  ResultBook const& theirs = reference.results();
  int smoothed = 0;
  for (std::size_t row = 0; row < columns.spot.size(); ++row) {
    for (std::size_t k = 0; k < output_count; ++k) {
      ASSERT_EQ(std::isnan(ours.value[k][row]), std::isnan(theirs.value[k][row]))
          << row << ' ' << k;
      if (std::isnan(ours.value[k][row])) continue;
      double const error = std::hypot(ours.std_error[k][row], theirs.std_error[k][row]);
      EXPECT_NEAR(ours.value[k][row], theirs.value[k][row], 4.8 * error + 1e-9) << row << ' ' << k;
    }
    // Where the density along the direction is not known, rqmc stands in.
    bool const has_gamma = !std::isnan(ours.value[gamma][row]);
    EXPECT_EQ(ours.method[row], has_gamma ? Method::rqmc_smooth : Method::rqmc) << row;
    if (!has_gamma) continue;
    ++smoothed;
    for (Output const k : {price, delta, gamma}) {
      EXPECT_LT(ours.std_error[k][row], 0.6 * kinked.results().std_error[k][row])
          << row << ' ' << k;
    }
    EXPECT_LT(ours.std_error[price][row], 0.5 * kinked.results().std_error[price][row]) << row;
  }
  EXPECT_GT(smoothed, 15);
}

// Of one asset the recursion tells the truth to 1e-9.
TEST(BasketPricing, smoothed_of_one_asset_agrees_with_the_recursion) {
  for (Contract contract : basket_rows()) {
    contract.paths = 1 << 14;
    BookColumns columns;
    columns.add(contract);
    PricingRun smooth{columns.book(), settings_of(Method::rqmc_smooth, true)};
    PricingRun exact{columns.book(), settings_of(Method::exact, true)};
    ASSERT_TRUE(smooth.summary().complete && exact.summary().complete);
    bool const on_price = contract.payoff == Payoff::average_price;
    ASSERT_EQ(smooth.results().method[0], on_price ? Method::rqmc_smooth : Method::rqmc);
    for (std::size_t k = 0; k < output_count; ++k) {
      double const ours = smooth.results().value[k][0];
      if (std::isnan(ours)) continue;
      EXPECT_NEAR(ours, exact.results().value[k][0], 4.5 * smooth.results().std_error[k][0] + 1e-7)
          << k;
    }
    if (on_price) {
      EXPECT_LT(smooth.results().std_error[price][0], 2e-5);
    } else {
      // By `rqmc` in all, which has every Greek.
      EXPECT_FALSE(std::isnan(smooth.results().value[gamma][0]));
    }
  }
}

// The price of one row, from random numbers that are always the same.
double basket_price(BasketOf const& basket, Contract const& contract) {
  BookColumns columns;
  add_basket_row(columns, contract, add_basket(columns, basket));
  PricingRun run{columns.book(), settings_of(Method::mc, false)};
  static_cast<void>(run.summary());
  return run.results().value[price][0];
}

BasketOf bumped(BasketOf basket, double spots, double volatilities, double yields) {
  for (Underlying& one : basket.underlyings) {
    one.spot *= spots;
    one.volatility += volatilities;
    one.dividend_yield += yields;
  }
  return basket;
}

// The same contract later: all that is to come is nearer.
Contract moved_on(Contract contract, double time) {
  contract.first_fixing -= time;
  contract.last_fixing -= time;
  contract.expiry -= time;
  return contract;
}

TEST(BasketPricing, has_Greeks_that_are_differences_of_prices) {
  constexpr double h = 1e-3;
  for (BasketOf const& basket : {five(), opposed(), spread(), three_for_two()}) {
    double gross = 0;
    double net = 0;
    for (Underlying const& one : basket.underlyings) {
      gross += std::fabs(one.weight) * one.spot;
      net += one.weight * one.spot;
    }
    for (Contract contract : {monthly_call(), put(on_strike(monthly_call(), 0.97))}) {
      contract.strike = net;
      contract.paths = is_small_build ? 1 << 13 : 1 << 15;
      BookColumns columns;
      add_basket_row(columns, contract, add_basket(columns, basket));
      PricingRun run{columns.book(), settings_of(Method::mc, true)};
      ResultBook const& results = (static_cast<void>(run.summary()), run.results());
      auto const slope = [&](auto const& price_at, double step) {
        return (price_at(step) - price_at(-step)) / (2 * step);
      };
      auto const expect = [&](Output output, double difference) {
        double const value = results.value[output][0];
        EXPECT_NEAR(value, difference,
                    4.5 * results.std_error[output][0] + 2e-4 * (std::fabs(value) + 0.01))
            << output << ' ' << basket.underlyings.size() << ' ' << contract.side;
      };
      expect(
          delta,
          slope([&](double x) { return basket_price(bumped(basket, 1 + x, 0, 0), contract); }, h) /
              gross);
      expect(vega,
             slope([&](double x) { return basket_price(bumped(basket, 1, x, 0), contract); }, h));
      expect(dividend_rho,
             slope([&](double x) { return basket_price(bumped(basket, 1, 0, x), contract); }, h));
      expect(rho, slope(
                      [&](double x) {
                        Contract other = contract;
                        other.rate += x;
                        return basket_price(basket, other);
                      },
                      h));
      expect(theta,
             slope([&](double x) { return basket_price(basket, moved_on(contract, x)); }, h));
    }
  }
}

// Of the price with a fixing less far from it, in a chain that the estimator knows nothing of.
TEST(BasketPricing, has_a_gamma_that_is_the_difference_of_deltas) {
  for (BasketOf const& basket : {five(), spread()}) {
    double gross = 0;
    double net = 0;
    for (Underlying const& one : basket.underlyings) {
      gross += std::fabs(one.weight) * one.spot;
      net += one.weight * one.spot;
    }
    constexpr double h = 0.02;
    auto const run_at = [&](double x) {
      BookColumns columns;
      Contract contract = at_strike(monthly_call(), net);
      contract.paths = is_small_build ? 1 << 14 : 1 << 18;
      add_basket_row(columns, contract, add_basket(columns, bumped(basket, 1 + x, 0, 0)));
      PricingRun run{columns.book(), settings_of(Method::mc, true)};
      static_cast<void>(run.summary());
      return run.results();
    };
    ResultBook const up = run_at(h);
    ResultBook const down = run_at(-h);
    ResultBook const here = run_at(0);
    double const difference = (up.value[delta][0] - down.value[delta][0]) / (2 * h * gross);
    double const error =
        std::hypot(up.std_error[delta][0], down.std_error[delta][0]) / (2 * h * gross);
    EXPECT_NEAR(here.value[gamma][0], difference,
                4.5 * (error + here.std_error[gamma][0]) + 4e-3 * difference);
  }
}

TEST(BasketPricing, has_the_same_bits_for_all_threads_and_instruction_sets) {
  expect_same_bits_everywhere(
      basket_book(1500), {Method::automatic, Method::mc_plain, Method::rqmc, Method::rqmc_smooth});
}

// What is left of two prices that move against each other is of second order; it has no control.
TEST(BasketPricing, whose_first_order_does_not_move_is_priced) {
  std::vector<double> values;
  for (double const correlation : {-1.0, -0.99999999, -0.9999}) {
    BasketOf const basket{{asset(0.5, 100, 0.3), asset(0.5, 100, 0.3)},
                          {1, correlation, correlation, 1}};
    for (Method const method : {Method::mc, Method::mc_plain, Method::rqmc, Method::rqmc_smooth}) {
      BookColumns columns;
      Contract contract = monthly_call();
      contract.paths = 1 << 16;
      add_basket_row(columns, contract, add_basket(columns, basket));
      PricingRun run{columns.book(), settings_of(method, true)};
      static_cast<void>(run.summary());
      ASSERT_GT(run.results().std_error[price][0], 0);
      EXPECT_LT(run.results().std_error[price][0], 0.05);
      if (correlation < -0.9999) {
        EXPECT_TRUE(std::isnan(run.results().value[gamma][0]));
      }
      values.push_back(run.results().value[price][0]);
    }
  }
  for (double const value : values) EXPECT_NEAR(value, values.front(), 0.05);
}

// Beyond some deviation Newton's steps to the root would not come to an end.
TEST(BasketPricing, is_not_smoothed_where_prices_move_far) {
  BookColumns columns;
  Contract contract = at_strike(monthly_call(), 400);
  contract.fixings = 1;
  contract.first_fixing = 1;
  contract.paths = 1 << 14;
  BasketOf const wild{{asset(0.5, 100, 3), asset(0.5, 100, 3)}, all_correlated(2, 0)};
  add_basket_row(columns, contract, add_basket(columns, wild));
  PricingRun run{columns.book(), settings_of(Method::rqmc_smooth, true)};
  static_cast<void>(run.summary());
  EXPECT_EQ(run.results().method[0], Method::rqmc);
}

TEST(BasketPricing, of_many_underlyings_is_priced) {
  BasketOf basket;
  for (int i = 0; i < 64; ++i) {
    basket.underlyings.push_back(asset(1, 1 + 0.05 * i, 0.15 + 0.002 * i));
  }
  basket.correlation = all_correlated(64, 0.3);
  BookColumns columns;
  std::int32_t const number = add_basket(columns, basket);
  double gross = 0;
  for (Underlying const& one : basket.underlyings) gross += one.spot;
  Contract contract = at_strike(monthly_call(), gross);
  contract.paths = 1 << 12;
  add_basket_row(columns, contract, number);
  PricingRun controlled{columns.book(), settings_of(Method::mc, true)};
  PricingRun plain{columns.book(), settings_of(Method::mc_plain, true)};
  static_cast<void>(controlled.summary());
  static_cast<void>(plain.summary());
  double const error = plain.results().std_error[price][0];
  EXPECT_NEAR(controlled.results().value[price][0], plain.results().value[price][0], 4.5 * error);
  EXPECT_LT(controlled.results().std_error[price][0], 0.1 * error);
}

TEST(BasketPricing, needs_no_paths_where_nothing_can_change_what_is_paid) {
  BookColumns columns;
  std::int32_t const number = add_basket(columns, five());
  Contract certain = at_strike(seasoned(monthly_call()), 10);
  add_basket_row(columns, certain, number);
  Contract past = seasoned(monthly_call());
  past.fixings = 0;
  past.strike = 90;
  add_basket_row(columns, past, number);
  PricingRun run{columns.book(), settings_of(Method::exact, true)};
  static_cast<void>(run.summary());
  EXPECT_EQ(run.results().method[0], Method::exact);
  double expected = 98 + 103;
  for (int i = 1; i <= 12; ++i) {
    for (Underlying const& one : five().underlyings) {
      expected += one.weight * one.spot * std::exp((0.06 - one.dividend_yield) * i / 12);
    }
  }
  expected = std::exp(-0.06) * (expected / 14 - 10);
  EXPECT_NEAR(run.results().value[price][0], expected, 1e-10);
  EXPECT_NEAR(run.results().value[price][1], std::exp(-0.06) * (201 / 2.0 - 90), 1e-10);
}

TEST(BasketPricing, refuses_what_is_none) {
  auto const refuses = [](BasketOf const& basket, Contract const& contract = monthly_call(),
                          Method method = Method::mc) {
    BookColumns columns;
    add_basket_row(columns, contract, add_basket(columns, basket));
    EXPECT_THROW((PricingRun{columns.book(), settings_of(method, false)}), InputError);
  };
  refuses({{asset(0, 100, 0.2)}, {1}});
  refuses({{asset(1, -100, 0.2)}, {1}});
  refuses({{asset(1, 100, std::nan(""))}, {1}});
  refuses({{asset(-1, 100, 0.2)}, {1}});
  refuses({{asset(1, 100, 0.2), asset(1, 100, 0.2)}, {1, 0.5, 0.4, 1}});
  refuses({{asset(1, 100, 0.2), asset(1, 100, 0.2)}, {1, 1.5, 1.5, 1}});
  refuses({{asset(1, 1, 0.2), asset(1, 1, 0.2), asset(1, 1, 0.2)}, all_correlated(3, -0.7)});
  refuses({{asset(1, 100, 0.2), asset(1, 100, 0.2)}, {1}});
  refuses(five(), geometric(monthly_call()));
  refuses(five(), monthly_call(), Method::exact);
  BookColumns columns;
  add_basket_row(columns, monthly_call(), 3);
  EXPECT_THROW((PricingRun{columns.book(), settings_of(Method::mc, false)}), InputError);
}

}  // namespace
}  // namespace makespan::asian
