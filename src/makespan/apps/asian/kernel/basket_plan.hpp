// SPDX-License-Identifier: Apache-2.0
// Steps of paths of several correlated lognormal prices, of which the payoff looks at one weighted
// sum over prices and times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace makespan::asian {

// A step ends at a fixing, where a volatility changes, or after the longest step of a volatility
// that the price has a part in: within it all are constant.
struct BasketStep {
  double dt;  // [years]
  double root_dt;
  double time;     // at its end
  bool has_price;  // whether the prices at its end are looked at
};

// One underlying in one step. With y its normal, X += deviation y and S = e^(log_growth + X). If
// its volatility depends on its price, X takes a step of the scheme in detail/basket_step-inl.hpp,
// and deviation is that of the control.
struct BasketTerm {
  double deviation;         // of the logarithm of the price
  double vega_root;         // its derivative to a shift of all volatilities
  double log_growth;        // up to the step's end: of the forward, less half the variance
  double weight;            // of the price in the payoff's sum; 0 at steps without a price
  double log_weight;        // of y in the control's logarithm
  double log_weight_short;  // and in that of the prices with a negative weight
  double vega_log_weight;   // derivative of log_weight to a shift of all volatilities
  double direction;         // a of contract_law.hpp
  double volatility;        // its integral up to the step's end
  std::int64_t slice = -1;  // place of the volatility by X, (cells, 4), in the plan's slices; or -1
  double place;             // of the direction, from -1 to 1 (SmoothTerms)
};

// One underlying now, for theta: an hour less to the first step's end changes the logarithm of each
// later price by -(growth + convexity + slope y) hours, y the first step's normal; of a volatility
// that depends on the price, by what becomes of the last two.
struct BasketDrift {
  double growth;
  double convexity;
  double slope;
  double log_weight;        // of it in the control's logarithm
  double volatility_slope;  // of a local volatility now, to time
};

// Where the slices of an underlying lie: cell i is a cubic around low + i width, in units of the
// width, within half of one to each side.
struct SliceGrid {
  double low;
  double inverse_width;
  double last;  // cell
};
inline constexpr int slice_terms = 4;

struct BasketPlan {
  int underlyings;
  int factors;
  std::span<double const> loading;  // (underlyings, factors): y = loading · independent normals
  std::span<BasketStep const> steps;
  std::span<BasketTerm const> terms;    // (steps, underlyings)
  std::span<BasketDrift const> drifts;  // (underlyings)
  std::span<SliceGrid const> grids;     // (underlyings), or none if no volatility has a slice
  std::span<double const> slices;
  bool has_short;  // whether a weight is negative
  bool is_smooth;  // whether smooth_up and smooth_down are asked for
  double* state;   // work space, 64-byte aligned: basket_state_size(...)
};

// Rows of a group of paths in BasketPlan::state: of each underlying its normal, then X and its
// derivatives to the volatility, the time of today and ln spot, then those of the twin.
inline constexpr int basket_state_rows = 9;

// Rows of a tile of pseudo-random normals that a step takes, and steps of a tile. Normals come in
// twos, so that a tile begins with an even one; of many factors each step does, and an odd one may
// go unused.
struct BasketTile {
  int rows;
  int steps;
};
[[nodiscard]] constexpr BasketTile basket_tile(int factors, int tile_rows) {
  if (2 * factors > tile_rows) return {(factors + 1) / 2 * 2, 1};
  int const steps = tile_rows / factors;
  return {factors, factors % 2 == 0 ? steps : steps / 2 * 2};
}

// Paths that are taken over a tile of steps before the next tile is begun: many, where volatilities
// have slices, so that those of a tile stay in the second-level cache for all of them; else a group
// of the widest instruction set.
[[nodiscard]] constexpr int basket_paths_abreast(int underlyings, bool has_slices) {
  constexpr int group = 16;
  constexpr int most = 256;
  int const groups = has_slices ? most / group / underlyings : 1;
  return group * (groups > 1 ? groups : 1);
}

// Numbers of BasketPlan::state.
[[nodiscard]] constexpr std::size_t basket_state_size(int underlyings, bool has_slices) {
  return static_cast<std::size_t>(underlyings) * basket_state_rows *
         static_cast<std::size_t>(basket_paths_abreast(underlyings, has_slices));
}

}  // namespace makespan::asian
