// SPDX-License-Identifier: Apache-2.0
// Goal: rates, volatilities and dividends by time are priced by all methods alike, with right
// Greeks. Method: curves that are constant against constants; methods against one another within
// their errors; Greeks against differences of prices without noise under moved curves.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "apps/asian/book_columns.hpp"
#include "apps/asian/mixed_book.hpp"
#include "apps/asian/price_differences.hpp"
#include "apps/asian/sample_contracts.hpp"
#include "makespan/apps/asian/run/pricing_run.hpp"
#include "makespan/apps/asian/run/result_book.hpp"

namespace makespan::asian {
namespace {

using enum CurveKind;

struct Named {
  std::string name;
  Contract contract;
};

std::vector<Named> contracts() {
  Contract late = monthly_call();
  late.last_fixing = 0.75;
  Contract certain = seasoned(monthly_call());
  certain.strike = 10;  // less than the past prices have made already
  return {{"call", monthly_call()},
          {"put", put(monthly_call())},
          {"with_start", with_start(monthly_call())},
          {"seasoned", seasoned(monthly_call())},
          {"certain", certain},
          {"certain_put", put(certain)},
          {"late_payment", late},
          {"geometric", geometric(monthly_call())},
          {"geometric_seasoned", geometric(seasoned(with_start(monthly_call())))},
          {"strike", on_strike(monthly_call(), 1)},
          {"strike_put", put(on_strike(monthly_call(), 0.95))},
          {"strike_seasoned", on_strike(seasoned(with_start(monthly_call())), 1.02)},
          {"strike_late", on_strike(late, 1)},
          {"strike_geometric", geometric(on_strike(late, 1))}};
}

// What the curves of a row say.
struct Market {
  std::vector<double> time;
  std::vector<double> rate;
  std::vector<double> yield;
  std::vector<double> volatility;
  double spot = 100;
  double lag = 0;
  std::vector<double> cash_time{};
  std::vector<double> cash{};
  std::vector<double> share_time{};
  std::vector<double> share{};
};

Market smooth_market() {
  return {.time = {0.3, 0.7, 2},
          .rate = {0.02, 0.05, 0.08},
          .yield = {0.03, 0.01, -0.02},
          .volatility = {0.35, 0.2, 0.15}};
}

Market market_with_dividends() {
  Market market = smooth_market();
  market.lag = 0.1;
  market.cash_time = {0.2, 0.6, 0.9};
  market.cash = {1.5, 2, 2.5};
  market.share_time = {0.45};
  market.share = {0.02};
  return market;
}

BookColumns book_of(Contract row, Market const& market) {
  row.spot = market.spot;
  row.rate = 0;
  row.drift = 0;
  row.volatility = 0;
  BookColumns columns;
  columns.add(row);
  columns.payment_lag = {market.lag};
  columns.rate_curve = {columns.add_curve(forward_rate, market.time, market.rate)};
  columns.yield_curve = {columns.add_curve(forward_rate, market.time, market.yield)};
  columns.volatility_curve = {
      columns.add_curve(forward_volatility, market.time, market.volatility)};
  if (!market.cash.empty()) {
    columns.cash_dividends = {columns.add_curve(cash_dividend, market.cash_time, market.cash)};
  }
  if (!market.share.empty()) {
    columns.proportional_dividends = {
        columns.add_curve(proportional_dividend, market.share_time, market.share)};
  }
  return columns;
}

struct Priced {
  Outputs value;
  Outputs error;
};

Priced priced(BookColumns const& columns, Method method) {
  PricingSettings settings = settings_of(method, true, 1);
  settings.precision = PrecisionChoice::fp64;
  PricingRun run{columns.book(), settings};
  EXPECT_TRUE(run.summary().complete);
  Priced out{};
  for (std::size_t k = 0; k < output_count; ++k) {
    out.value[k] = run.results().value[k][0];
    double const bound = run.results().error_bound[k][0];
    out.error[k] = run.results().std_error[k][0] + (std::isnan(bound) ? 0 : bound);
  }
  return out;
}

Contract without_noise(Contract contract) {
  contract.paths = 0;
  contract.std_error = 1e-9;
  return contract;
}

TEST(CurvePricing, is_that_of_constants_where_curves_are_constant) {
  Market const market{
      .time = {0.4, 2}, .rate = {0.06, 0.06}, .yield = {0.03, 0.03}, .volatility = {0.2, 0.2}};
  for (auto const& [name, contract] : contracts()) {
    SCOPED_TRACE(name);
    for (Method const method : {Method::mc, Method::mc_plain, Method::rqmc, Method::exact}) {
      BookColumns constants;
      constants.add(contract);
      Priced const plain = priced(constants, method);
      Priced const curved = priced(book_of(contract, market), method);
      expect_near(curved.value, plain.value, 1e-8);
    }
  }
}

void expect_methods_agree(Market const& market, bool geometric_too) {
  for (auto [name, contract] : contracts()) {
    if (contract.average == Average::geometric && !geometric_too) continue;
    SCOPED_TRACE(name);
    Priced const exact = priced(book_of(without_noise(contract), market), Method::exact);
    contract.paths = 1 << 17;
    for (Method const method : {Method::mc, Method::mc_plain, Method::rqmc}) {
      Priced const simulated = priced(book_of(contract, market), method);
      for (std::size_t k = 0; k < output_count; ++k) {
        double const error = simulated.error[k] + exact.error[k];
        EXPECT_NEAR(simulated.value[k], exact.value[k], 4.5 * error + 1e-7)
            << "output " << k << ", method " << static_cast<int>(method);
      }
    }
  }
}

TEST(CurvePricing, agrees_between_methods) {
  expect_methods_agree(smooth_market(), true);
}

TEST(CurvePricing, agrees_between_methods_with_dividends) {
  expect_methods_agree(market_with_dividends(), false);
}

// All curves and the contract so many years later, at the same spot.
Market later(Market market, double years) {
  for (auto* times : {&market.time, &market.cash_time, &market.share_time}) {
    for (double& time : *times) time -= years;
  }
  return market;
}

Market shifted(Market market, std::vector<double> Market::* values, double by) {
  for (double& value : market.*values) value += by;
  return market;
}

Outputs differences(Contract const& contract, Market const& market) {
  auto const value = [](Contract const& row, Market const& at) {
    return priced(book_of(without_noise(row), at), Method::exact).value[price];
  };
  auto const at_spot = [&](double by) {
    Market moved = market;
    moved.spot += by;
    return value(contract, moved);
  };
  auto const with = [&](std::vector<double> Market::* values) {
    return slope([&](double by) { return value(contract, shifted(market, values, by)); }, 1e-3);
  };
  Outputs out{};
  out[price] = value(contract, market);
  out[delta] = slope(at_spot, 0.3);
  out[gamma] = curvature(at_spot, 0.3);
  out[vega] = with(&Market::volatility);
  out[rho] = with(&Market::rate);
  out[dividend_rho] = with(&Market::yield);
  bool const fixes_now = contract.first_fixing == 0;
  auto const in_time = [&](double by) {
    return value(makespan::asian::later(contract, by), later(market, by));
  };
  out[theta] = fixes_now ? slope_ahead(in_time, 2e-4) : slope(in_time, 2e-4);
  return out;
}

TEST(CurvePricing, has_the_Greeks_of_moved_curves) {
  for (auto const& [name, contract] : contracts()) {
    SCOPED_TRACE(name);
    Priced const ours = priced(book_of(without_noise(contract), smooth_market()), Method::exact);
    expect_near(ours.value, differences(contract, smooth_market()), 2e-6);
  }
}

TEST(CurvePricing, has_the_Greeks_of_moved_curves_with_dividends) {
  for (auto const& [name, contract] : contracts()) {
    if (contract.average == Average::geometric) continue;
    SCOPED_TRACE(name);
    Market const market = market_with_dividends();
    Priced const ours = priced(book_of(without_noise(contract), market), Method::exact);
    expect_near(ours.value, differences(contract, market), 2e-6);
  }
}

// E[A] by what forwards are: S e^growth less each dividend paid so far and its growth since.
TEST(CurvePricing, has_the_forward_that_dividends_leave) {
  Contract contract = without_noise(monthly_call());
  contract.strike = 0;
  Market const market = market_with_dividends();
  BookColumns columns = book_of(contract, market);
  Curves const curves{columns.book().curves};
  auto const growth = [&](double time) {
    double const shares = time >= 0.45 ? std::log(0.98) : 0;
    return std::exp(curves.at(0)->total_at(time) - curves.at(1)->total_at(time) + shares);
  };
  double forward = 0;
  for (int i = 1; i <= 12; ++i) {
    double const time = i / 12.0;
    forward += 100 * growth(time);
    for (std::size_t j = 0; j < market.cash.size(); ++j) {
      if (market.cash_time[j] <= time) {
        forward -= market.cash[j] * growth(time) / growth(market.cash_time[j]);
      }
    }
  }
  double const discount = std::exp(-curves.at(0)->total_at(1.1));

  EXPECT_NEAR(priced(columns, Method::exact).value[price], discount * forward / 12, 1e-9);
}

// Volatility ends at 0.9: by its clock the last two fixings are at one time.
TEST(CurvePricing, takes_fixings_between_which_the_variance_rounds_to_none) {
  static std::vector<double> const late{0.5, 1 - 0x1p-53, 1};
  BookColumns columns;
  Contract row = monthly_call();
  row.volatility = 0;
  row.times = late;
  row.fixings = 3;
  columns.add(row);
  columns.add_curve_columns();
  columns.volatility_curve[0] =
      columns.add_curve(CurveKind::forward_volatility, {0.9, 2}, {0.4, 1e-3});
  auto const results_by = [&](Method method) {
    PricingRun run{columns.book(), settings_of(method, true)};
    EXPECT_TRUE(run.summary().complete);
    return run.results();
  };
  ResultBook const expected = results_by(Method::rqmc_smooth);
  for (Method const method : {Method::mc, Method::mc_plain, Method::rqmc}) {
    ResultBook const ours = results_by(method);
    for (std::size_t k = 0; k < output_count; ++k) {
      double const error = std::hypot(ours.std_error[k][0], expected.std_error[k][0]);
      EXPECT_NEAR(ours.value[k][0], expected.value[k][0], 4.5 * error) << k;
    }
    EXPECT_LT(ours.std_error[price][0], 1);
  }
}

TEST(CurvePricing, solves_once_for_rows_that_share_their_curves_and_gives_each_the_same_alone) {
  BookColumns columns = book_of(without_noise(monthly_call()), smooth_market());
  BookColumns both = columns;
  Contract other = without_noise(monthly_call());
  other.strike = 107;
  other.rate = 0;
  other.drift = 0;
  other.volatility = 0;
  both.add(other);
  for (auto* column : {&both.rate_curve, &both.yield_curve, &both.volatility_curve}) {
    column->back() = column->front();
  }
  PricingRun run{both.book(), settings_of(Method::exact, true, 1)};
  static_cast<void>(run.summary());

  EXPECT_EQ(run.results().value[price][0], priced(columns, Method::exact).value[price]);
  EXPECT_LT(run.results().value[price][1], run.results().value[price][0]);
}

}  // namespace
}  // namespace makespan::asian
