// SPDX-License-Identifier: Apache-2.0
// Goal: rows of a random variance are priced right, with the errors that they tell. Method: plain
// paths against controlled ones and against the closed form of the geometric average; Greeks
// against differences of prices. All of it takes many paths: one of the long tests.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "apps/asian/heston_book.hpp"
#include "apps/asian/mixed_book.hpp"
#include "makespan/apps/asian/run/pricing_run.hpp"

namespace makespan::asian {
namespace {

TEST(HestonStatistics, agrees_between_plain_and_controlled_paths_and_closed_forms) {
  BookColumns const plain = heston_book(is_small_build ? 1 << 14 : 1 << 17);
  BookColumns const controlled = heston_book(is_small_build ? 1 << 13 : 1 << 15);
  PricingRun of_plain{plain.book(), settings_of(Method::mc_plain, false)};
  PricingRun of_controlled{controlled.book(), settings_of(Method::automatic, false)};
  ASSERT_TRUE(of_plain.summary().complete && of_controlled.summary().complete);

  for (std::size_t row = 0; row < plain.spot.size(); ++row) {
    double const ours = of_controlled.results().value[price][row];
    double const theirs = of_plain.results().value[price][row];
    double const error = std::hypot(of_plain.results().std_error[price][row],
                                    of_controlled.results().std_error[price][row]);
    EXPECT_NEAR(ours, theirs, 4.5 * error + 1e-9) << row;
    bool const is_exact = of_controlled.results().method[row] == Method::exact;
    EXPECT_EQ(is_exact, plain.average_type[row] == 1 || row % 12 == 2) << row;
    if (!is_exact && row + 2 < plain.spot.size()) {
      EXPECT_GT(of_controlled.results().variance_reduction[row], 50) << row;
    }
  }
}

double heston_price(Contract const& contract, Heston const& model) {
  BookColumns columns;
  add_heston_row(columns, contract, model);
  PricingRun run{columns.book(), settings_of(Method::automatic, false)};
  static_cast<void>(run.summary());
  return run.results().value[price][0];
}

TEST(HestonStatistics, has_Greeks_that_are_differences_of_prices) {
  constexpr double h = 1e-3;
  for (Heston const& model : {heston_models[0], heston_models[1], heston_models[2]}) {
    for (Contract contract : rows_of_each_kind()) {
      contract.paths = is_small_build ? 1 << 12 : 1 << 15;
      BookColumns columns;
      add_heston_row(columns, contract, model);
      PricingRun run{columns.book(), settings_of(Method::automatic, true)};
      ResultBook const& results = (static_cast<void>(run.summary()), run.results());
      auto const expect_slope = [&](Output output, double difference) {
        double const error =
            std::isnan(results.std_error[output][0]) ? 0 : results.std_error[output][0];
        EXPECT_NEAR(results.value[output][0], difference,
                    4.5 * error + 1e-3 * std::fabs(difference) + 1e-6)
            << output << ' ' << contract.strike << ' ' << contract.fixings;
      };
      auto const expect = [&](Output output, double unit, auto const& changed) {
        double const up = heston_price(changed(h), model);
        double const down = heston_price(changed(-h), model);
        expect_slope(output, (up - down) / (2 * h * unit));
      };
      expect(delta, contract.spot, [&](double x) {
        Contract other = contract;
        other.spot *= 1 + x;
        return other;
      });
      expect(dividend_rho, 1, [&](double x) {
        Contract other = contract;
        other.drift -= x;
        return other;
      });
      expect(rho, 1, [&](double x) {
        Contract other = contract;
        other.rate += x;
        other.drift += x;
        return other;
      });
      auto const shifted = [&](double x) {
        Heston other = model;
        other.variance_now = std::pow(std::sqrt(model.variance_now) + x, 2);
        other.variance_mean = std::pow(std::sqrt(model.variance_mean) + x, 2);
        return heston_price(contract, other);
      };
      expect_slope(vega, (shifted(h) - shifted(-h)) / (2 * h));
      auto const later = [&](double x) {
        Contract other = contract;
        for (double* time : {&other.expiry, &other.first_fixing, &other.last_fixing}) *time -= x;
        return heston_price(other, model);
      };
      if (contract.first_fixing > 0) {
        expect_slope(theta, (later(1e-4) - later(-1e-4)) / 2e-4);
      }
    }
  }
}

TEST(HestonStatistics, has_a_gamma_that_is_the_difference_of_deltas) {
  for (Heston const& model : heston_models) {
    for (Contract contract : {monthly_call(), put(seasoned(with_start(monthly_call())))}) {
      constexpr double h = 0.02;
      contract.paths = is_small_build ? 1 << 13 : 1 << 17;
      auto const run_at = [&](double x) {
        BookColumns columns;
        Contract moved = contract;
        moved.spot *= 1 + x;
        add_heston_row(columns, moved, model);
        PricingRun run{columns.book(), settings_of(Method::automatic, true)};
        static_cast<void>(run.summary());
        return run.results();
      };
      ResultBook const here = run_at(0);
      ResultBook const up = run_at(h);
      ResultBook const down = run_at(-h);
      double const width = 2 * h * contract.spot;
      double const difference = (up.value[delta][0] - down.value[delta][0]) / width;
      double const error = std::hypot(up.std_error[delta][0], down.std_error[delta][0]) / width;
      EXPECT_NEAR(here.value[gamma][0], difference,
                  4.5 * std::hypot(error, here.std_error[gamma][0]) + 0.02 * difference);
    }
  }
  // The density of an average strike, and of a geometric average, is another one.
  BookColumns columns;
  add_heston_row(columns, on_strike(monthly_call(), 1), heston_models[0]);
  add_heston_row(columns, geometric(monthly_call()), heston_models[0]);
  for (Method const method : {Method::automatic, Method::mc_plain}) {
    PricingRun run{columns.book(), settings_of(method, true)};
    static_cast<void>(run.summary());
    for (double const value : run.results().value[gamma]) EXPECT_TRUE(std::isnan(value));
  }
}

// The control's integral is cut off with 3e-3 that may be missing, which no path makes less.
TEST(HestonStatistics, meets_a_target_only_with_the_error_that_it_tells) {
  BookColumns columns;
  std::vector<double> const targets{1e-3, 2e-3, 3e-3, 3.5e-3, 4e-3, 6e-3, 1e-2};
  for (double const target : targets) {
    Contract row = with_target(monthly_call(), target);
    row.key = 700;
    row.max_paths = 1 << 15;
    add_heston_row(columns, row, {1e-4, 1, 1e-4, 10, -1});
  }
  PricingRun run{columns.book(), settings_of(Method::mc, false)};
  ASSERT_TRUE(run.summary().complete);

  ResultBook const& results = run.results();
  for (std::size_t row = 0; row < targets.size(); ++row) {
    bool const is_met = results.std_error[price][row] <= targets[row];
    EXPECT_EQ(results.status[row], is_met ? RowStatus::ok : RowStatus::max_paths_reached) << row;
  }
  EXPECT_EQ(results.status.front(), RowStatus::max_paths_reached);
  EXPECT_EQ(results.status.back(), RowStatus::ok);
}

}  // namespace
}  // namespace makespan::asian
