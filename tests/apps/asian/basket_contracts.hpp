// SPDX-License-Identifier: Apache-2.0
#pragma once

// Baskets that tests start from.

#include <vector>

#include "apps/asian/book_columns.hpp"
#include "apps/asian/sample_contracts.hpp"

namespace makespan::asian {

struct BasketOf {
  std::vector<Underlying> underlyings;
  std::vector<double> correlation;  // (underlyings, underlyings)
};

inline Underlying asset(double weight, double spot, double volatility, double dividend_yield = 0) {
  return {.weight = weight,
          .spot = spot,
          .dividend_yield = dividend_yield,
          .volatility = volatility,
          .yield_curve = nullptr,
          .forward_curve = nullptr,
          .volatility_curve = nullptr,
          .dividends = nullptr,
          .surface = nullptr};
}

inline std::vector<double> all_correlated(std::size_t count, double correlation) {
  std::vector<double> matrix(count * count, correlation);
  for (std::size_t i = 0; i < count; ++i) matrix[i * count + i] = 1;
  return matrix;
}

inline BasketOf single() {
  return {{asset(2, 50, 0.2, 0.03)}, {1}};
}
// Two halves that move as one.
inline BasketOf halves() {
  return {{asset(0.5, 100, 0.2, 0.03), asset(1, 50, 0.2, 0.03)}, {1, 1, 1, 1}};
}
inline BasketOf five() {
  return {{asset(0.2, 100, 0.2), asset(0.1, 150, 0.25, 0.01), asset(2, 10, 0.3, 0.02),
           asset(0.3, 80, 0.15), asset(1, 25, 0.4, 0.03)},
          all_correlated(5, 0.5)};
}
inline BasketOf opposed() {
  return {{asset(1, 60, 0.3), asset(1, 40, 0.2)}, all_correlated(2, -0.6)};
}
inline BasketOf spread() {
  return {{asset(1, 100, 0.3, 0.01), asset(-1, 90, 0.2)}, all_correlated(2, 0.6)};
}
inline BasketOf three_for_two() {
  return {{asset(1, 40, 0.3), asset(1, 70, 0.25), asset(-1.5, 50, 0.35)}, all_correlated(3, 0.8)};
}

// Its number. Curves of its underlyings are those of the columns, by number; -1: none.
inline std::int32_t add_basket(BookColumns& columns, BasketOf const& basket,
                               std::int32_t volatility_curve = -1) {
  if (columns.basket_offset.empty()) columns.basket_offset.push_back(0);
  for (Underlying const& one : basket.underlyings) {
    columns.basket_weight.push_back(one.weight);
    columns.basket_spot.push_back(one.spot);
    columns.basket_dividend_yield.push_back(one.dividend_yield);
    columns.basket_volatility.push_back(volatility_curve == -1 ? one.volatility : 0);
    columns.basket_yield_curve.push_back(-1);
    columns.basket_forward_curve.push_back(-1);
    columns.basket_volatility_curve.push_back(volatility_curve);
    columns.basket_dividends.push_back(-1);
    columns.basket_surface.push_back(-1);
  }
  columns.basket_correlation.insert(columns.basket_correlation.end(), basket.correlation.begin(),
                                    basket.correlation.end());
  columns.basket_offset.push_back(static_cast<std::int64_t>(columns.basket_weight.size()));
  return static_cast<std::int32_t>(columns.basket_offset.size()) - 2;
}

// To a book whose rows are all added so; -1: without a basket.
inline void add_basket_row(BookColumns& columns, Contract row, std::int32_t basket) {
  if (basket != -1) {
    row.volatility = 0;
    row.drift = 0;
  }
  columns.add(row);
  columns.basket.push_back(basket);
}

}  // namespace makespan::asian
