// SPDX-License-Identifier: Apache-2.0
// Volatility as a function of time and price: B. Dupire, Risk 7(1) (1994) 18-20.
#pragma once

#include <span>
#include <vector>

#include "makespan/apps/asian/contract/market_columns.hpp"

namespace makespan::asian {

// Local volatilities on a grid of times [years] and of logarithms of the price over its forward.
// Between them bicubic, by finite differences as slopes (E. Catmull, R. Rom, 1974), outside as at
// the border.
struct Surface {
  std::span<double const> time;           // strictly increasing, >= 0
  std::span<double const> log_moneyness;  // strictly increasing
  std::span<double const> volatility;     // (times, moneyness), above 0
};

// Views of the columns. Throws InputError, naming surface and place, if one could not be used. It
// is a second fence: messages for people who write surfaces come from
// python/makespan/pricing/book.
[[nodiscard]] std::vector<Surface> surfaces_of(SurfaceColumns const& columns);

// A surface at one time: a function of the logarithm of moneyness.
class SurfaceSlice {
 public:
  // The surface stays as long as this.
  SurfaceSlice(Surface const& surface, double time);

  [[nodiscard]] double at(double log_moneyness) const;
  [[nodiscard]] double slope_at(double log_moneyness) const;
  // The same, but outside what the cubics at the border go on to.
  [[nodiscard]] double cubic_at(double log_moneyness) const;
  [[nodiscard]] double cubic_slope_at(double log_moneyness) const;

 private:
  std::span<double const> x_;
  std::vector<double> value_;
  std::vector<double> slope_;
  double least_;  // the cubic may dip below what it goes through, but not to nothing
};

}  // namespace makespan::asian
