// SPDX-License-Identifier: Apache-2.0
// Weighted sums of several underlyings whose prices are correlated.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "makespan/apps/asian/contract/contract.hpp"
#include "makespan/apps/asian/contract/detail/surface.hpp"
#include "makespan/apps/asian/contract/market_columns.hpp"
#include "makespan/apps/asian/contract/term_curve.hpp"

namespace makespan::asian {

inline constexpr std::size_t underlyings_max = 64;

struct Underlying {
  double weight;  // units of it; negative: short
  double spot;
  double dividend_yield;
  double volatility;  // 0 with a curve or surface of it
  // Null where there is none.
  Curve const* yield_curve;
  Curve const* forward_curve;
  Curve const* volatility_curve;
  Curve const* dividends;  // proportional ones
  Surface const* surface;  // of a local volatility
};

// Arrays in row-major order. The loading has the principal components of the correlation as
// columns, the largest first: correlation = loading · loading^T. That is for low-discrepancy
// points; pseudo-random normals take the symmetric root, which has no components to choose among
// where several are alike, so that prices move smoothly with correlations.
struct Basket {
  std::vector<Underlying> underlyings;
  std::vector<double> correlation;  // (underlyings, underlyings)
  std::vector<double> loading;      // (underlyings, factors)
  int factors;
  std::vector<double> root;  // (underlyings, underlyings)
  double gross;              // sum of |weight| · spot: what prices are in units of
  double net;                // sum of weight · spot
};

// Throws InputError, naming basket and underlying, if a basket could not be used. It is a second
// fence: messages for people who write baskets come from python/makespan/pricing/book.
[[nodiscard]] std::vector<Basket> baskets_of(BasketColumns const& columns, Curves const& curves,
                                             std::span<Surface const> surfaces);

// A row's own asset as a basket of a unit of it; with a surface of a local volatility, if one is
// given, in place of its own. What grows or varies is then the basket's.
[[nodiscard]] Basket basket_of_one(Contract const& contract, Surface const* surface = nullptr);

// Whether a volatility of the basket is local.
[[nodiscard]] bool has_surface(Basket const& basket);

// The contract with one underlying of its basket alone, a unit of it: for its growth and volatility
// (term_structure.hpp).
[[nodiscard]] Contract alone(Contract const& contract, Underlying const& underlying);

// Times after 0 up to the last price that the payoff looks at, where a volatility of the basket
// changes.
[[nodiscard]] std::vector<double> volatility_times(Contract const& contract);

// Whether prices cannot move: no volatility or no time, to the last digit of a double.
[[nodiscard]] bool basket_stands_still(Contract const& contract);

}  // namespace makespan::asian
