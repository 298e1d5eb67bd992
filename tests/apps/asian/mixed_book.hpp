// SPDX-License-Identifier: Apache-2.0
#pragma once

// A book of every kind of row, and its results as bits.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "apps/asian/book_columns.hpp"
#include "apps/asian/sample_contracts.hpp"
#include "makespan/apps/asian/run/pricing_run.hpp"
#include "makespan/apps/asian/run/pricing_settings.hpp"
#include "makespan/apps/asian/run/result_book.hpp"
#include "test_size.hpp"

namespace makespan::asian {

inline std::vector<double> const uneven{0.01, 0.3, 0.35, 0.8};

inline Contract with_target(Contract contract, double std_error) {
  contract.paths = 0;
  contract.std_error = std_error;
  contract.max_paths = 1 << 17;
  return contract;
}

// Rates, yields and volatilities by time and dividends of both kinds; forwards by time.
inline void add_rows_with_curves(BookColumns& columns) {
  Contract row = with_target(seasoned(with_start(monthly_call())), 0.004);
  row.key = 2000;
  row.rate = 0;
  row.drift = 0;
  row.volatility = 0;
  columns.add(row);
  row = with_target(on_strike(row, 1), 0.004);
  row.key = 2001;
  columns.add(row);
  columns.add_curve_columns();
  using enum CurveKind;
  std::size_t const last = columns.spot.size() - 1;
  columns.payment_lag[last] = 0.1;
  for (std::size_t const at : {last - 1, last}) {
    columns.rate_curve[at] = columns.add_curve(forward_rate, {0.5, 2}, {0.02, 0.05});
    columns.volatility_curve[at] = columns.add_curve(volatility, {0.2, 1, 2}, {0.3, 0.25, 0.2});
  }
  columns.yield_curve[last] = columns.add_curve(zero_rate, {2}, {0.01});
  columns.cash_dividends[last] = columns.add_curve(cash_dividend, {0.3, 0.7}, {1, 1.5});
  columns.proportional_dividends[last] = columns.add_curve(proportional_dividend, {0.5}, {0.01});
  columns.forward_curve[last - 1] = columns.add_curve(forward_price, {0, 1, 2}, {100, 104, 103});
}

// Every payoff, fixed paths that fill no block, targets that take several rounds, one that is never
// reached, and rows without simulation.
inline BookColumns mixed_book() {
  std::vector<Contract> rows{monthly_call(), put(with_start(seasoned(monthly_call()))),
                             on_strike(monthly_call(), 0.95), geometric(monthly_call()),
                             on_strike(geometric(seasoned(monthly_call())), 1.05)};
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i].paths = 2999 + 1300 * static_cast<std::int64_t>(i);
  rows.push_back(with_target(monthly_call(), 0.002));
  rows.push_back(with_target(put(on_strike(seasoned(monthly_call()), 1.1)), 0.01));
  rows.push_back(with_target(monthly_call(), 1e-9));
  Contract flat = monthly_call();
  flat.volatility = 0;
  rows.push_back(flat);
  Contract wide = monthly_call();
  wide.volatility = 5.2;
  rows.push_back(wide);
  Contract fixed = monthly_call();
  fixed.times = uneven;
  fixed.fixings = 4;
  rows.push_back(fixed);
  BookColumns columns;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].key = 1000 + i;
    if (is_small_build) rows[i].max_paths = 1 << 14;
    columns.add(rows[i]);
  }
  add_rows_with_curves(columns);
  return columns;
}

inline PricingSettings settings_of(Method method, bool greeks, int threads = 2) {
  PricingSettings settings;
  settings.method = method;
  settings.greeks = greeks;
  settings.threads = threads;
  settings.replicates = 16;
  return settings;
}

// All that is in a result but the time it took, as bits.
inline std::vector<std::uint64_t> bits_of(ResultBook const& results) {
  std::vector<std::uint64_t> bits;
  auto const add = [&bits](std::vector<double> const& column) {
    for (double const x : column)
      bits.push_back(std::isnan(x) ? 0 : std::bit_cast<std::uint64_t>(x));
  };
  for (auto const& column : results.value) add(column);
  for (auto const& column : results.std_error) add(column);
  for (auto const& column : results.error_bound) add(column);
  for (auto const* column : {&results.ci_low, &results.ci_high, &results.control_beta,
                             &results.variance_reduction, &results.method_price}) {
    add(*column);
  }
  for (RowStatus const status : results.status) bits.push_back(static_cast<std::uint64_t>(status));
  for (auto const* column : {&results.paths_used, &results.replicates}) {
    for (std::int64_t const x : *column) bits.push_back(static_cast<std::uint64_t>(x));
  }
  return bits;
}

// Of one thread, and of three with any instruction set.
inline void expect_same_bits_everywhere(BookColumns const& columns,
                                        std::initializer_list<Method> methods) {
  for (Method const method : methods) {
    for (bool const greeks : {false, true}) {
      PricingRun alone{columns.book(), settings_of(method, greeks, 1)};
      static_cast<void>(alone.summary());
      auto const expected = bits_of(alone.results());
      for (Kernels const* kernels : Kernels::available()) {
        PricingSettings settings = settings_of(method, greeks, 3);
        settings.isa = kernels->isa;
        PricingRun run{columns.book(), settings};
        static_cast<void>(run.summary());
        EXPECT_EQ(bits_of(run.results()), expected) << kernels->isa;
      }
    }
  }
}

}  // namespace makespan::asian
