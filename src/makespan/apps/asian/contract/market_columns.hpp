// SPDX-License-Identifier: Apache-2.0
// Baskets and surfaces, which rows of a book refer to by number, as columns.
#pragma once

#include <cstdint>
#include <span>

namespace makespan::asian {

// Baskets as columns: basket i has the underlyings offset[i] .. offset[i + 1] - 1, and the matrices
// of their correlations follow one another. Numbers are those of curves, -1 for none. Not owned.
struct BasketColumns {
  std::span<std::int64_t const> offset{};  // one more than baskets; empty if there are none
  std::span<double const> weight{};
  std::span<double const> spot{};
  std::span<double const> dividend_yield{};
  std::span<double const> volatility{};
  std::span<std::int32_t const> yield_curve{};
  std::span<std::int32_t const> forward_curve{};
  std::span<std::int32_t const> volatility_curve{};
  std::span<std::int32_t const> proportional_dividends{};
  std::span<std::int32_t const> surface{};  // numbers of surfaces
  std::span<double const> correlation{};
};

// Surfaces as columns: surface i has the times time_offset[i] .. time_offset[i + 1] - 1, likewise
// of moneyness, and values follow one another. Not owned.
struct SurfaceColumns {
  std::span<std::int64_t const> time_offset{};  // one more than surfaces; empty if there are none
  std::span<std::int64_t const> moneyness_offset{};
  std::span<double const> time{};
  std::span<double const> log_moneyness{};
  std::span<double const> volatility{};
};

}  // namespace makespan::asian
