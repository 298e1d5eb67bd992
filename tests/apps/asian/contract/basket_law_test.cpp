// SPDX-License-Identifier: Apache-2.0
// Goal: what is known of a basket without simulation is right, and its steps are those that its
// fixings and curves ask for. Method: sums over underlyings and fixings written out; a basket of
// one asset against the contract without.
#include "makespan/apps/asian/contract/basket_law.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "apps/asian/basket_contracts.hpp"
#include "makespan/apps/asian/contract/contract_reader.hpp"
#include "makespan/base/error.hpp"

namespace makespan::asian {
namespace {

struct Read {
  BookColumns columns;
  std::unique_ptr<ContractReader> reader;
  Contract contract;
  BasketSchedule schedule;
  BasketLaw law;
};

Read read(BasketOf const& basket, Contract const& row, std::int32_t curve_of_all = -1,
          BookColumns columns = {}) {
  Read out;
  out.columns = std::move(columns);
  add_basket_row(out.columns, row, add_basket(out.columns, basket, curve_of_all));
  out.reader = std::make_unique<ContractReader>(out.columns.book());
  out.contract = out.reader->at(0);
  out.law = make_basket_law(out.contract, out.schedule);
  return out;
}

TEST(BasketLaw, of_one_asset_is_that_of_the_asset) {
  for (Contract const& row : {monthly_call(), seasoned(with_start(monthly_call()))}) {
    Read const basket = read(single(), row);
    Laid const alone = laid(row);
    EXPECT_DOUBLE_EQ(basket.contract.spot, 100);
    EXPECT_NEAR(basket.law.law.forward.average, alone.law.forward.average, 1e-15);
    EXPECT_NEAR(basket.law.law.arithmetic.level, alone.law.arithmetic.level, 1e-15);
    EXPECT_NEAR(basket.law.law.log.level, alone.law.log.level, 1e-15);
    EXPECT_NEAR(basket.law.law.log.deviation, alone.law.log.deviation, 1e-15);
    EXPECT_NEAR(basket.law.law.log.time, alone.law.log.time, 1e-14);
    EXPECT_NEAR(basket.law.law.vega.logs, alone.law.vega.logs, 1e-14);
    EXPECT_NEAR(basket.law.law.discount, alone.law.discount, 1e-15);
    ASSERT_EQ(basket.schedule.steps.size(), alone.schedule.time.size());
    for (std::size_t i = 0; i < alone.schedule.time.size(); ++i) {
      EXPECT_EQ(basket.schedule.steps[i].time, alone.schedule.time[i]);
      EXPECT_NEAR(basket.schedule.terms[i].direction, alone.schedule.direction[i], 1e-15);
    }
  }
}

TEST(BasketLaw, of_one_asset_has_the_assets_greeks_when_no_time_is_left) {
  Contract row = on_strike(seasoned(monthly_call()), 1);
  row.fixings = 1;
  row.first_fixing = row.last_fixing = row.expiry = 0;
  Outputs const basket = forward_outputs(read(single(), row).law.law, Payoff::average_price);
  Outputs const alone = forward_outputs(laid(row).law, Payoff::average_strike);
  for (std::size_t const output : {price, delta, rho, dividend_rho, theta}) {
    EXPECT_NEAR(basket[output], alone[output], 1e-15) << output;
  }
  // The pricing equation, an instant later: delta is that of S_T.
  EXPECT_NEAR(basket[theta], 0.06 * basket[price] - 0.03, 1e-15);
}

TEST(BasketLaw, has_the_means_and_variances_of_its_prices) {
  BasketOf const basket = five();
  Read const known = read(basket, put(monthly_call()));
  double gross = 0;
  double mean = 0;
  for (Underlying const& one : basket.underlyings) {
    gross += one.weight * one.spot;
    for (int i = 1; i <= 12; ++i) {
      mean += one.weight * one.spot * std::exp((0.06 - one.dividend_yield) * i / 12) / 12;
    }
  }
  EXPECT_NEAR(known.law.law.forward.average, mean / gross, 1e-14);
  double variance = 0;  // of ln G: over all pairs of prices
  for (std::size_t k = 0; k < 5; ++k) {
    for (std::size_t l = 0; l < 5; ++l) {
      Underlying const& a = basket.underlyings[k];
      Underlying const& b = basket.underlyings[l];
      for (int i = 1; i <= 12; ++i) {
        for (int j = 1; j <= 12; ++j) {
          double const p = a.weight * a.spot * std::exp((0.06 - a.dividend_yield) * i / 12) / 12;
          double const q = b.weight * b.spot * std::exp((0.06 - b.dividend_yield) * j / 12) / 12;
          variance += p * q / (mean * mean) * basket.correlation[k * 5 + l] * a.volatility *
                      b.volatility * std::min(i, j) / 12;
        }
      }
    }
  }
  EXPECT_NEAR(known.law.law.log_variance, variance, 1e-14);
  EXPECT_FALSE(known.law.short_part.is_there);
  EXPECT_TRUE(known.law.has_gamma);
}

TEST(BasketLaw, of_a_spread_has_two_lognormals) {
  Contract row = monthly_call();
  row.strike = 10;
  Read const known = read(spread(), row);
  ASSERT_TRUE(known.law.short_part.is_there);
  LognormalPair const& pair = known.law.pair;
  double const g = std::exp(pair.level + 0.5 * pair.deviation * pair.deviation);
  double const h = std::exp(pair.level_short + 0.5 * pair.deviation_short * pair.deviation_short);
  // To second order the means of the two parts.
  EXPECT_NEAR(g - h, known.law.law.forward.average, 4e-3);
  EXPECT_NEAR(pair.covariance / (pair.deviation * pair.deviation_short), 0.6, 1e-3);
}

TEST(BasketLaw, steps_to_where_a_volatility_changes) {
  BookColumns columns;
  std::int32_t const curve =
      columns.add_curve(CurveKind::forward_volatility, {0.1, 0.25, 0.9, 2}, {0.1, 0.2, 0.3, 0.4});
  Contract row = monthly_call();
  row.fixings = 2;
  row.first_fixing = 0.25;
  row.last_fixing = 0.5;
  row.expiry = 1;
  Read const known = read(single(), row, curve, columns);
  ASSERT_EQ(known.schedule.steps.size(), 3U);  // 0.25 is both, 0.9 after the last price
  EXPECT_EQ(known.schedule.steps[0].time, 0.1);
  EXPECT_FALSE(known.schedule.steps[0].has_price);
  EXPECT_TRUE(known.schedule.steps[1].has_price);
  EXPECT_NEAR(known.schedule.terms[2].deviation, 0.3 * 0.5, 1e-15);
  EXPECT_EQ(basket_step_count(known.contract), 3);
}

TEST(BasketLaw, tells_what_no_price_can_change) {
  Contract low = seasoned(monthly_call());
  low.strike = 10;
  EXPECT_TRUE(basket_is_certain(read(five(), low).contract));
  EXPECT_FALSE(basket_is_certain(read(spread(), low).contract));
  EXPECT_FALSE(basket_is_certain(read(five(), monthly_call()).contract));
  Contract still = monthly_call();
  BasketOf known = five();
  for (Underlying& one : known.underlyings) one.volatility = 0;
  EXPECT_TRUE(basket_is_certain(read(known, still).contract));
  // S(T) - k S(T) never changes its sign.
  Contract one = on_strike(monthly_call(), 1);
  one.fixings = 1;
  one.first_fixing = 1;
  EXPECT_TRUE(basket_is_certain(read(five(), one).contract));
}

TEST(BasketLaw, refuses_a_curve_that_there_is_not) {
  for (std::int32_t const curve : {-2, 0, 7}) {
    BookColumns columns;
    add_basket_row(columns, monthly_call(), add_basket(columns, single(), curve));
    EXPECT_THROW(ContractReader{columns.book()}, InputError) << curve;
  }
}

}  // namespace
}  // namespace makespan::asian
