// SPDX-License-Identifier: Apache-2.0
#pragma once

// A book of contracts as the columns that the engine reads.

#include <vector>

#include "makespan/apps/asian/contract/contract_book.hpp"
#include "makespan/apps/asian/contract/contract_reader.hpp"

namespace makespan::asian {

struct BookColumns {
  std::vector<std::uint64_t> option_key;
  std::vector<std::uint64_t> seed;
  std::vector<std::int8_t> option_type;
  std::vector<std::int8_t> average_type;
  std::vector<std::int8_t> averaging;
  std::vector<double> spot;
  std::vector<double> strike;
  std::vector<double> strike_multiplier;
  std::vector<double> rate;
  std::vector<double> drift;
  std::vector<std::uint8_t> drift_given;
  std::vector<double> volatility;
  std::vector<double> expiry;
  std::vector<std::int64_t> fixings;
  std::vector<double> first_fixing;
  std::vector<double> last_fixing;
  std::vector<std::int64_t> times_offset{0};
  std::vector<double> times;
  std::vector<std::int64_t> past_count;
  std::vector<double> past_sum;
  std::vector<double> past_log_sum;
  std::vector<double> notional;
  std::vector<std::int64_t> paths;
  std::vector<double> std_error;
  std::vector<std::int64_t> max_paths;
  // Of all rows or of none.
  std::vector<double> payment_lag;
  std::vector<std::int32_t> rate_curve;
  std::vector<std::int32_t> yield_curve;
  std::vector<std::int32_t> forward_curve;
  std::vector<std::int32_t> volatility_curve;
  std::vector<std::int32_t> proportional_dividends;
  std::vector<std::int32_t> cash_dividends;
  std::vector<std::int8_t> curve_kind;
  std::vector<std::int64_t> curve_offset;
  std::vector<double> curve_time;
  std::vector<double> curve_value;
  std::vector<double> variance_now;
  std::vector<double> mean_reversion;
  std::vector<double> variance_mean;
  std::vector<double> variance_volatility;
  std::vector<double> correlation;
  std::vector<std::int32_t> basket;
  std::vector<std::int64_t> basket_offset;
  std::vector<double> basket_weight;
  std::vector<double> basket_spot;
  std::vector<double> basket_dividend_yield;
  std::vector<double> basket_volatility;
  std::vector<std::int32_t> basket_yield_curve;
  std::vector<std::int32_t> basket_forward_curve;
  std::vector<std::int32_t> basket_volatility_curve;
  std::vector<std::int32_t> basket_dividends;
  std::vector<std::int32_t> basket_surface;
  std::vector<double> basket_correlation;
  std::vector<std::int32_t> surface;
  std::vector<std::int64_t> surface_time_offset;
  std::vector<std::int64_t> surface_moneyness_offset;
  std::vector<double> surface_time;
  std::vector<double> surface_log_moneyness;
  std::vector<double> surface_volatility;
  std::vector<std::int64_t> steps_per_year;

  // Its number.
  std::int32_t add_curve(CurveKind kind, std::vector<double> const& time,
                         std::vector<double> const& value) {
    if (curve_offset.empty()) curve_offset.push_back(0);
    curve_kind.push_back(static_cast<std::int8_t>(kind));
    curve_time.insert(curve_time.end(), time.begin(), time.end());
    curve_value.insert(curve_value.end(), value.begin(), value.end());
    curve_offset.push_back(static_cast<std::int64_t>(curve_time.size()));
    return static_cast<std::int32_t>(curve_kind.size()) - 1;
  }

  void add(Contract const& row) {
    option_key.push_back(row.key);
    seed.push_back(row.seed);
    option_type.push_back(static_cast<std::int8_t>(row.side));
    average_type.push_back(row.average == Average::arithmetic ? 0 : 1);
    averaging.push_back(row.payoff == Payoff::average_price ? 0 : 1);
    spot.push_back(row.spot);
    strike.push_back(row.strike);
    strike_multiplier.push_back(row.multiplier);
    rate.push_back(row.rate);
    drift.push_back(row.drift);
    drift_given.push_back(row.drift_given ? 1 : 0);
    volatility.push_back(row.volatility);
    expiry.push_back(row.expiry);
    fixings.push_back(row.fixings);
    first_fixing.push_back(row.first_fixing);
    last_fixing.push_back(row.last_fixing);
    times.insert(times.end(), row.times.begin(), row.times.end());
    times_offset.push_back(static_cast<std::int64_t>(times.size()));
    past_count.push_back(row.past_count);
    past_sum.push_back(row.past_sum);
    past_log_sum.push_back(row.past_log_sum);
    notional.push_back(row.notional);
    paths.push_back(row.paths);
    std_error.push_back(row.std_error);
    max_paths.push_back(row.max_paths);
    if (!payment_lag.empty()) add_curve_columns();
  }

  // Columns of numbers of curves for all rows so far: none where there is no number yet.
  void add_curve_columns() {
    payment_lag.resize(option_key.size(), 0);
    for (auto* column : {&rate_curve, &yield_curve, &forward_curve, &volatility_curve,
                         &proportional_dividends, &cash_dividends}) {
      column->resize(option_key.size(), -1);
    }
  }

  // A book of one of the rows, with all curves.
  [[nodiscard]] BookColumns only(std::int64_t row) const {
    BookColumns one = *this;
    auto const at = static_cast<std::ptrdiff_t>(row);
    auto const keep = [at](auto&... columns) {
      auto const one_of = [at](auto& column) {
        if (!column.empty()) column = {column[static_cast<std::size_t>(at)]};
      };
      (one_of(columns), ...);
    };
    keep(one.option_key, one.seed, one.option_type, one.average_type, one.averaging, one.spot,
         one.strike, one.strike_multiplier, one.rate, one.drift, one.drift_given, one.volatility,
         one.expiry, one.fixings, one.first_fixing, one.last_fixing, one.past_count, one.past_sum,
         one.past_log_sum, one.notional, one.paths, one.std_error, one.max_paths, one.payment_lag,
         one.rate_curve, one.yield_curve, one.forward_curve, one.volatility_curve,
         one.proportional_dividends, one.cash_dividends, one.variance_now, one.mean_reversion,
         one.variance_mean, one.variance_volatility, one.correlation, one.basket, one.surface,
         one.steps_per_year);
    auto const begin = times_offset[static_cast<std::size_t>(row)];
    auto const end = times_offset[static_cast<std::size_t>(row) + 1];
    one.times = {times.begin() + begin, times.begin() + end};
    one.times_offset = {0, end - begin};
    return one;
  }

  [[nodiscard]] ContractBook book() const {
    return {.option_key = option_key,
            .seed = seed,
            .option_type = option_type,
            .average_type = average_type,
            .averaging = averaging,
            .spot = spot,
            .strike = strike,
            .strike_multiplier = strike_multiplier,
            .rate = rate,
            .drift = drift,
            .drift_given = drift_given,
            .volatility = volatility,
            .expiry = expiry,
            .fixings = fixings,
            .first_fixing = first_fixing,
            .last_fixing = last_fixing,
            .times_offset = times_offset,
            .times = times,
            .past_count = past_count,
            .past_sum = past_sum,
            .past_log_sum = past_log_sum,
            .notional = notional,
            .paths = paths,
            .std_error = std_error,
            .max_paths = max_paths,
            .payment_lag = payment_lag,
            .rate_curve = rate_curve,
            .yield_curve = yield_curve,
            .forward_curve = forward_curve,
            .volatility_curve = volatility_curve,
            .proportional_dividends = proportional_dividends,
            .cash_dividends = cash_dividends,
            .curves = {.kind = curve_kind,
                       .offset = curve_offset,
                       .time = curve_time,
                       .value = curve_value},
            .variance_now = variance_now,
            .mean_reversion = mean_reversion,
            .variance_mean = variance_mean,
            .variance_volatility = variance_volatility,
            .correlation = correlation,
            .basket = basket,
            .baskets = {.offset = basket_offset,
                        .weight = basket_weight,
                        .spot = basket_spot,
                        .dividend_yield = basket_dividend_yield,
                        .volatility = basket_volatility,
                        .yield_curve = basket_yield_curve,
                        .forward_curve = basket_forward_curve,
                        .volatility_curve = basket_volatility_curve,
                        .proportional_dividends = basket_dividends,
                        .surface = basket_surface,
                        .correlation = basket_correlation},
            .surface = surface,
            .surfaces = {.time_offset = surface_time_offset,
                         .moneyness_offset = surface_moneyness_offset,
                         .time = surface_time,
                         .log_moneyness = surface_log_moneyness,
                         .volatility = surface_volatility},
            .steps_per_year = steps_per_year};
  }
};

// Row `row` of a book; its curves are gone.
inline Contract contract_at(ContractBook const& book, std::int64_t row) {
  return ContractReader{book}.at(row);
}

}  // namespace makespan::asian
