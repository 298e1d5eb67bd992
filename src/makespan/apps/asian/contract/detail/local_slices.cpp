// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/contract/detail/local_slices.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace makespan::asian {

namespace {

// Cubics of this width are off by less than 1e-7 of the volatility where ten points of a grid make
// up the range.
constexpr int slice_cells = 257;
// Of a price that stays at its forward: further away a volatility is that at the end.
constexpr double deviations_max = 12;

// Each cell is the cubic that has the slice's values and slopes at its ends.
void fill_slice(SurfaceSlice const& slice, double low, double width, double* out) {
  // The first and the last cell reach half a width beyond the grid, where the cubics go on: held at
  // the border, the volatility would have a kink within the cell.
  double left = slice.cubic_at(low - 0.5 * width);
  double left_slope = width * slice.cubic_slope_at(low - 0.5 * width);
  for (int cell = 0; cell < slice_cells; ++cell) {
    double const end = low + width * (cell + 0.5);
    double const right = slice.cubic_at(end);
    double const right_slope = width * slice.cubic_slope_at(end);
    double const rise = right - left;
    double const bend = 0.25 * (right_slope - left_slope);
    // Hermite's cubic about the middle: sum of out[n] f^n with f from -1/2 to 1/2.
    out[0] = 0.5 * (left + right) - 0.5 * bend;
    out[1] = 1.5 * rise - 0.25 * (left_slope + right_slope);
    out[2] = 2 * bend;
    out[3] = left_slope + right_slope - 2 * rise;
    out += slice_terms;
    left = right;
    left_slope = right_slope;
  }
}

// Where an underlying's slices lie.
struct Range {
  double low;
  double high;

  [[nodiscard]] double width() const { return (high - low) / (slice_cells - 1); }
};

// The surface's own, but no further than paths come: the border that is nearest to them, if they do
// not come as near as that.
Range range_of(Surface const& surface, double deviation) {
  double const reach = deviations_max * deviation;
  auto const& x = surface.log_moneyness;
  double const low = std::max(x.front(), -reach);
  double const high = std::min(x.back(), reach);
  double const nearest = std::clamp(0.0, x.front(), x.back());
  return low < high ? Range{low, high} : Range{nearest, nearest};
}

}  // namespace

double deviation_of(BasketSchedule const& schedule, std::size_t count, std::size_t k) {
  double variance = 0;
  for (std::size_t i = k; i < schedule.terms.size(); i += count) {
    variance += schedule.terms[i].deviation * schedule.terms[i].deviation;
  }
  return std::sqrt(variance);
}

void lay_slices(Basket const& basket, BasketSchedule& schedule) {
  constexpr std::size_t size = static_cast<std::size_t>(slice_cells) * slice_terms;
  std::size_t const count = basket.underlyings.size();
  std::size_t const steps = schedule.steps.size();
  auto const local = std::ranges::count_if(
      basket.underlyings, [](Underlying const& one) { return one.surface != nullptr; });
  schedule.slices.resize(steps * static_cast<std::size_t>(local) * size);
  schedule.grids.assign(count, {});
  double* next = schedule.slices.data();
  for (std::size_t k = 0; k < count; ++k) {
    Surface const* const surface = basket.underlyings[k].surface;
    if (surface == nullptr) continue;
    Range const range = range_of(*surface, deviation_of(schedule, count, k));
    double const low = range.low;
    double const width = range.width();
    schedule.grids[k] = {.low = low,
                         .inverse_width = width > 0 ? 1 / width : 0,
                         .last = width > 0 ? double{slice_cells - 1} : 0};
    for (std::size_t i = 0; i < steps; ++i) {
      BasketStep const& step = schedule.steps[i];
      fill_slice(SurfaceSlice{*surface, step.time - 0.5 * step.dt}, low, width, next);
      schedule.terms[i * count + k].slice = next - schedule.slices.data();
      next += size;
    }
  }
}

}  // namespace makespan::asian
