// SPDX-License-Identifier: Apache-2.0
// A book of options as columns.
#pragma once

#include <cstdint>
#include <span>

#include "makespan/apps/asian/contract/market_columns.hpp"
#include "makespan/apps/asian/contract/term_curve.hpp"

namespace makespan::asian {

// Columns of shape (rows), all defaults resolved (python/makespan/pricing/book). `times_offset` has
// rows + 1 entries; row i's explicit fixing times are times[times_offset[i]] ..
// times[times_offset[i + 1]
// - 1], none for a uniform grid. Not owned.
struct ContractBook {
  std::span<std::uint64_t const> option_key;
  std::span<std::uint64_t const> seed;
  std::span<std::int8_t const> option_type;   // +1 call, -1 put
  std::span<std::int8_t const> average_type;  // 0 arithmetic, 1 geometric
  std::span<std::int8_t const> averaging;     // 0 price, 1 strike
  std::span<double const> spot;
  std::span<double const> strike;
  std::span<double const> strike_multiplier;
  std::span<double const> rate;
  std::span<double const> drift;
  std::span<std::uint8_t const> drift_given;
  std::span<double const> volatility;
  std::span<double const> expiry;
  std::span<std::int64_t const> fixings;
  std::span<double const> first_fixing;
  std::span<double const> last_fixing;
  std::span<std::int64_t const> times_offset;
  std::span<double const> times;
  std::span<std::int64_t const> past_count;
  std::span<double const> past_sum;
  std::span<double const> past_log_sum;
  std::span<double const> notional;
  std::span<std::int64_t const> paths;
  std::span<double const> std_error;
  std::span<std::int64_t const> max_paths;
  // Each of these has rows, or none where no row needs it: the payment is then at expiry, and there
  // is no such curve. Numbers of `curves`, -1 for none; rate, drift and volatility of a row with a
  // curve in their place are 0.
  std::span<double const> payment_lag{};
  std::span<std::int32_t const> rate_curve{};
  std::span<std::int32_t const> yield_curve{};
  std::span<std::int32_t const> forward_curve{};
  std::span<std::int32_t const> volatility_curve{};
  std::span<std::int32_t const> proportional_dividends{};
  std::span<std::int32_t const> cash_dividends{};
  CurveColumns curves{};
  // Heston's parameters, all or none; a variance_volatility of 0: the row has no random variance.
  std::span<double const> variance_now{};
  std::span<double const> mean_reversion{};
  std::span<double const> variance_mean{};
  std::span<double const> variance_volatility{};
  std::span<double const> correlation{};
  // The number of a basket, in place of spot, drift, volatility and their curves, which are then 0
  // and none; -1: the row has none.
  std::span<std::int32_t const> basket{};
  BasketColumns baskets{};
  // The number of a surface of local volatilities, in place of a volatility; -1: none.
  std::span<std::int32_t const> surface{};
  SurfaceColumns surfaces{};
  // Of paths whose volatility is random or local; 64 where the column is not there.
  std::span<std::int64_t const> steps_per_year{};

  [[nodiscard]] std::int64_t rows() const { return static_cast<std::int64_t>(option_key.size()); }
};

// Throws InputError, naming column and row, if columns differ in length or a value is one that no
// kernel could run on. It is a second fence: messages for people who write books come from
// python/makespan/pricing/book.
void check(ContractBook const& book);

}  // namespace makespan::asian
