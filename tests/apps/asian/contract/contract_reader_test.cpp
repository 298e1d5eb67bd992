// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/contract/contract_reader.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "apps/asian/book_columns.hpp"
#include "apps/asian/sample_contracts.hpp"
#include "makespan/apps/asian/contract/term_structure.hpp"
#include "makespan/base/error.hpp"

namespace makespan::asian {
namespace {

using enum CurveKind;

// Rates of 4 and 6 %, yields of 1 %, a volatility that falls, and a dividend between fixings.
BookColumns with_curves(Contract const& row) {
  BookColumns columns;
  columns.add(row);
  columns.rate = {0};
  columns.drift = {0};
  columns.volatility = {0};
  columns.rate_curve = {columns.add_curve(forward_rate, {0.5, 2}, {0.04, 0.06})};
  columns.yield_curve = {columns.add_curve(zero_rate, {2}, {0.01})};
  columns.volatility_curve = {columns.add_curve(forward_volatility, {0.5, 1, 2}, {0.3, 0.2, 0.1})};
  return columns;
}

TEST(ContractReader, gives_a_row_the_functions_of_its_curves) {
  BookColumns columns = with_curves(monthly_call());
  columns.payment_lag = {0.25};
  ContractReader const reader{columns.book()};
  Contract const contract = reader.at(0);

  EXPECT_NEAR(interest(contract), 0.02 + 0.75 * 0.06, 1e-15);
  EXPECT_NEAR(growth_to(contract, 1), 0.02 + 0.03 - 0.01, 1e-15);
  EXPECT_NEAR(variance_to(contract, 1), 0.045 + 0.02, 1e-15);
  EXPECT_NEAR(volatility_to(contract, 1), 0.25, 1e-15);
  EXPECT_NEAR(contract.volatility, std::sqrt(0.065), 1e-15);
  EXPECT_NEAR(clock_to(contract, 1), 1, 1e-15);
  EXPECT_NEAR(clock_to(contract, 0.5), 0.045 / 0.065, 1e-15);
  EXPECT_NEAR(rate_now(contract), 0.04, 1e-15);
  EXPECT_NEAR(drift_now(contract), 0.03, 1e-15);
  EXPECT_NEAR(volatility_now(contract), 0.3, 1e-15);
  EXPECT_NEAR(log_growth_to(contract, 0.5), 0.02 - 0.005 - 0.0225, 1e-15);
}

TEST(ContractReader, keeps_interest_out_of_a_drift_that_was_given) {
  BookColumns columns = with_curves(monthly_call());
  columns.yield_curve = {-1};
  columns.drift = {0.03};
  columns.drift_given = {1};
  ContractReader const reader{columns.book()};

  EXPECT_TRUE(has_constant_growth(reader.at(0)));
  EXPECT_DOUBLE_EQ(growth_to(reader.at(0), 2), 0.06);
}

// S is a lognormal price and what dividends to come are worth.
TEST(ContractReader, puts_cash_dividends_into_spot_and_average) {
  BookColumns columns = with_curves(monthly_call());
  columns.cash_dividends = {columns.add_curve(cash_dividend, {0.1, 0.75, 1, 1.5}, {1, 2, 4, 8})};
  ContractReader const reader{columns.book()};
  Contract const contract = reader.at(0);
  auto const growth = [&](double time) { return std::exp(growth_to(contract, time)); };

  double const present = 1 / growth(0.1) + 2 / growth(0.75) + 4 / growth(1);
  EXPECT_NEAR(contract.cash_dividends.present_value, present, 1e-13);
  EXPECT_NEAR(contract.spot, 100 - present, 1e-13);
  double held = 0;
  for (std::int64_t i = 0; i < contract.fixings; ++i) {
    double const time = fixing_time(contract, i);
    if (time < 0.1) held += growth(time) / growth(0.1) * 1;
    if (time < 0.75) held += growth(time) / growth(0.75) * 2;
    if (time < 1) held += growth(time) / growth(1) * 4;
  }
  EXPECT_NEAR(contract.past_sum, held, 1e-12);
  // Minus the derivatives to a shift of the growth.
  double const by_rate = 0.1 / growth(0.1) + 1.5 / growth(0.75) + 4 / growth(1);
  EXPECT_NEAR(contract.cash_dividends.present_time, by_rate, 1e-13);
}

TEST(ContractReader, leaves_rows_without_curves_alone) {
  BookColumns columns;
  columns.add(seasoned(monthly_call()));
  Contract const contract = ContractReader{columns.book()}.at(0);

  EXPECT_EQ(contract.spot, 100);
  EXPECT_EQ(contract.past_sum, 201);
  EXPECT_EQ(contract.rate_curve, nullptr);
  EXPECT_TRUE(has_constant_growth(contract) && has_constant_volatility(contract));
  EXPECT_EQ(clock_to(contract, 0.3), 0.3);
}

TEST(CheckOfCurves, names_rows_that_cannot_be_priced_with_theirs) {
  auto const refused = [](auto const& change) {
    BookColumns columns = with_curves(monthly_call());
    EXPECT_NO_THROW(check(columns.book()));
    change(columns);
    EXPECT_THROW(check(columns.book()), InputError);
  };
  refused([](BookColumns& columns) { columns.rate_curve = {7}; });
  refused([](BookColumns& columns) { columns.rate_curve = {-2}; });
  refused([](BookColumns& columns) { columns.rate_curve = {2}; });  // a volatility
  refused([](BookColumns& columns) { columns.rate_curve = {0, 0}; });
  refused([](BookColumns& columns) { columns.payment_lag = {1.5}; });  // beyond the rates
  refused([](BookColumns& columns) { columns.payment_lag = {-0.1}; });
  refused([](BookColumns& columns) {
    columns.forward_curve = {columns.add_curve(forward_price, {0, 2}, {100, 104})};
  });
  refused([](BookColumns& columns) {
    columns.cash_dividends = {columns.add_curve(cash_dividend, {0.5}, {110})};
  });
  refused([](BookColumns& columns) {
    columns.average_type = {1};
    columns.cash_dividends = {columns.add_curve(cash_dividend, {0.5}, {1})};
  });
  refused([](BookColumns& columns) {
    columns.expiry = {3};
    columns.last_fixing = {3};
  });
}

}  // namespace
}  // namespace makespan::asian
