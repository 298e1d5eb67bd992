// SPDX-License-Identifier: Apache-2.0
// Goal: automatic takes the estimator that a row's own target asks for. Method: a book of rows that
// ask for large and small errors, some of which cannot be smoothed; the same rows alone.
#include "makespan/apps/asian/run/detail/simulation_method.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "apps/asian/basket_contracts.hpp"
#include "apps/asian/mixed_book.hpp"
#include "makespan/apps/asian/run/pricing_run.hpp"

namespace makespan::asian {
namespace {

TEST(SimulationMethod, is_the_settings_own_but_for_automatic) {
  for (Method const method : {Method::mc, Method::mc_plain, Method::rqmc, Method::rqmc_smooth}) {
    EXPECT_EQ(simulation_method(monthly_call(), {.method = method}), method);
  }
  EXPECT_EQ(simulation_method(monthly_call(), {}), Method::mc);
}

TEST(SimulationMethod, has_replicates_with_low_discrepancy_points_alone) {
  EXPECT_EQ(sampling_by(Method::rqmc_smooth, {.replicates = 20}).replicates, 20);
  EXPECT_EQ(sampling_by(Method::mc, {.replicates = 20}).replicates, 1);
}

// A row's price may not depend on which other rows there are: the method is the row's own.
TEST(SimulationMethod, of_automatic_smooths_rows_that_ask_for_small_errors) {
  BookColumns columns;
  std::int32_t const shares = add_basket(columns, five());
  std::int32_t const split = add_basket(columns, opposed());
  auto const add = [&](Contract row, std::int32_t basket, double share, std::int64_t paths) {
    row.key = 70 + columns.spot.size();
    row.paths = paths;
    row.std_error = share * 75;
    row.max_paths = 1 << 20;
    add_basket_row(columns, row, basket);
  };
  add(monthly_call(), shares, 2e-6, 0);
  add(monthly_call(), shares, 1e-4, 0);
  add(monthly_call(), shares, 0, 4096);
  add(on_strike(with_start(monthly_call()), 1), shares, 2e-6, 0);  // its early prices fall
  add(monthly_call(), split, 2e-6, 0);  // one of its prices falls where the sum rises most
  PricingRun run{columns.book(), settings_of(Method::automatic, true)};
  ASSERT_TRUE(run.summary().complete);
  ResultBook const& results = run.results();

  EXPECT_EQ(results.method[0], Method::rqmc_smooth);
  EXPECT_EQ(results.replicates[0], 16);
  EXPECT_LE(results.std_error[price][0], 2e-6 * 75);
  for (std::size_t row = 1; row < 5; ++row) {
    EXPECT_EQ(results.method[row], Method::mc) << row;
    EXPECT_EQ(results.replicates[row], 0) << row;
  }
  double const half = results.ci_high[0] - results.value[price][0];
  EXPECT_NEAR(half / results.std_error[price][0], 2.1314, 1e-3);  // Student's, of 15 degrees
  double const error = std::hypot(results.std_error[price][0], results.std_error[price][1]);
  EXPECT_NEAR(results.value[price][0], results.value[price][1], 4.5 * error);
  for (std::int64_t const row : {0, 1}) {
    BookColumns const one = columns.only(row);
    PricingRun alone{one.book(), settings_of(Method::automatic, true, 1)};
    static_cast<void>(alone.summary());
    for (Output const k : {price, delta, gamma, vega}) {
      EXPECT_EQ(alone.results().value[k][0], results.value[k][static_cast<std::size_t>(row)]);
    }
  }
}

}  // namespace
}  // namespace makespan::asian
