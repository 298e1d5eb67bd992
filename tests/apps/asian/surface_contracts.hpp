// SPDX-License-Identifier: Apache-2.0
#pragma once

// Local volatilities that tests start from.

#include <cmath>
#include <vector>

#include "apps/asian/basket_contracts.hpp"

namespace makespan::asian {

struct SurfaceOf {
  std::vector<double> time;
  std::vector<double> log_moneyness;
  std::vector<double> volatility;  // (times, moneyness)

  [[nodiscard]] Surface view() const& { return {time, log_moneyness, volatility}; }
  Surface view() && = delete;  // it would outlive what it sees
};

inline SurfaceOf flat(double volatility) {
  return {{0.5}, {0}, {volatility}};
}

// A skew that flattens with time, and a smile.
inline SurfaceOf skewed() {
  SurfaceOf surface{{0, 0.25, 0.5, 1, 2}, {}, {}};
  for (int i = -10; i <= 10; ++i) surface.log_moneyness.push_back(0.1 * i);
  for (double const time : surface.time) {
    for (double const x : surface.log_moneyness) {
      double const skew = 0.2 / std::sqrt(0.5 + time);
      surface.volatility.push_back(0.22 + 0.02 * time - skew * std::tanh(x) + 0.1 * x * x);
    }
  }
  return surface;
}

// Its number.
inline std::int32_t add_surface(BookColumns& columns, SurfaceOf const& surface) {
  if (columns.surface_time_offset.empty()) {
    columns.surface_time_offset.push_back(0);
    columns.surface_moneyness_offset.push_back(0);
  }
  auto const append = [](std::vector<double>& to, std::vector<double> const& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  append(columns.surface_time, surface.time);
  append(columns.surface_log_moneyness, surface.log_moneyness);
  append(columns.surface_volatility, surface.volatility);
  columns.surface_time_offset.push_back(static_cast<std::int64_t>(columns.surface_time.size()));
  columns.surface_moneyness_offset.push_back(
      static_cast<std::int64_t>(columns.surface_log_moneyness.size()));
  return static_cast<std::int32_t>(columns.surface_time_offset.size()) - 2;
}

// To a book whose rows are all added so; -1: of a known volatility.
inline void add_surface_row(BookColumns& columns, Contract row, std::int32_t surface,
                            std::int64_t steps_per_year = 64) {
  if (surface != -1) row.volatility = 0;
  columns.add(row);
  columns.surface.push_back(surface);
  columns.steps_per_year.push_back(steps_per_year);
}

}  // namespace makespan::asian
