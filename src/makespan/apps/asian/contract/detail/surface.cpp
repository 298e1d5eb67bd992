// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/contract/detail/surface.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "makespan/base/error.hpp"

namespace makespan::asian {

namespace {

[[noreturn]] void refuse_surface(std::size_t surface, std::string const& why) {
  throw InputError("surface " + std::to_string(surface + 1) + " cannot be used", why,
                   "check the surfaces with makespan.price, which names every wrong value");
}

bool is_grid(std::span<double const> points) {
  bool const finite = std::ranges::all_of(points, [](double x) { return std::isfinite(x); });
  return finite && !points.empty() && std::ranges::is_sorted(points, std::less_equal<>{});
}

std::span<double const> part_of(std::span<double const> all, std::span<std::int64_t const> offset,
                                std::size_t i) {
  auto const from = static_cast<std::size_t>(offset[i]);
  return all.subspan(from, static_cast<std::size_t>(offset[i + 1]) - from);
}

bool are_offsets(std::span<std::int64_t const> offset, std::size_t count) {
  if (offset.empty()) return count == 0;
  return offset.front() == 0 && std::ranges::is_sorted(offset) &&
         offset.back() == static_cast<std::int64_t>(count);
}

void check_surface_columns(SurfaceColumns const& columns) {
  bool fits = columns.time_offset.size() == columns.moneyness_offset.size() &&
              are_offsets(columns.time_offset, columns.time.size()) &&
              are_offsets(columns.moneyness_offset, columns.log_moneyness.size());
  std::size_t values = 0;
  for (std::size_t i = 0; fits && i + 1 < columns.time_offset.size(); ++i) {
    values += part_of(columns.time, columns.time_offset, i).size() *
              part_of(columns.log_moneyness, columns.moneyness_offset, i).size();
  }
  if (fits && values == columns.volatility.size()) return;
  throw InputError("the columns of the surfaces do not belong together",
                   "there are " + std::to_string(columns.time.size()) + " times, " +
                       std::to_string(columns.log_moneyness.size()) + " of moneyness and " +
                       std::to_string(columns.volatility.size()) + " volatilities",
                   "give one volatility for each time and moneyness of a surface");
}

// Slope of a parabola through three points, at the middle one; at an end that through two. Local,
// so that no distant point moves it (docs/decisions/0103).
double slope_of(std::span<double const> x, std::size_t i, auto const& value) {
  bool const is_first = i == 0;
  bool const is_last = i + 1 == x.size();
  if (is_first && is_last) return 0;
  auto const secant = [&](std::size_t from) {
    return (value(from + 1) - value(from)) / (x[from + 1] - x[from]);
  };
  if (is_first) return secant(0);
  if (is_last) return secant(i - 1);
  double const before = x[i] - x[i - 1];
  double const after = x[i + 1] - x[i];
  return (after * secant(i - 1) + before * secant(i)) / (before + after);
}

// The cubic of two values and two slopes.
struct HermiteCubic {
  double width;
  double value_0;
  double slope_0;
  double value_1;
  double slope_1;

  // `share` of the way between the two.
  [[nodiscard]] double value_at(double share) const {
    double const rest = 1 - share;
    double const linear = rest * value_0 + share * value_1;
    double const rise = value_1 - value_0;
    return linear +
           share * rest * (rest * (width * slope_0 - rise) - share * (width * slope_1 - rise));
  }
  [[nodiscard]] double slope_at(double share) const {
    double const rise = value_1 - value_0;
    double const a = width * slope_0 - rise;
    double const b = width * slope_1 - rise;
    double const rest = 1 - share;
    double const bend = rest * (rest - 2 * share) * a - share * (2 * rest - share) * b;
    return (rise + bend) / width;
  }
};

// The cell that a point is in; outside the one at the border.
std::size_t cell_of(std::span<double const> x, double at) {
  auto const above = std::ranges::upper_bound(x, at) - x.begin();
  auto const last = static_cast<std::ptrdiff_t>(x.size()) - 2;
  return static_cast<std::size_t>(
      std::clamp<std::ptrdiff_t>(above - 1, 0, std::max<std::ptrdiff_t>(last, 0)));
}

}  // namespace

std::vector<Surface> surfaces_of(SurfaceColumns const& columns) {
  check_surface_columns(columns);
  std::vector<Surface> surfaces;
  std::size_t next = 0;
  for (std::size_t i = 0; i + 1 < columns.time_offset.size(); ++i) {
    Surface surface{part_of(columns.time, columns.time_offset, i),
                    part_of(columns.log_moneyness, columns.moneyness_offset, i),
                    {}};
    std::size_t const count = surface.time.size() * surface.log_moneyness.size();
    surface.volatility = columns.volatility.subspan(next, count);
    next += count;
    if (!is_grid(surface.time) || surface.time.front() < 0) {
      refuse_surface(i, "its times do not increase from 0 on");
    }
    if (!is_grid(surface.log_moneyness)) refuse_surface(i, "its moneyness does not increase");
    bool const is_positive = std::ranges::all_of(
        surface.volatility, [](double x) { return std::isfinite(x) && x > 0 && x <= 100; });
    if (!is_positive) refuse_surface(i, "a volatility is not above 0 and at most 100");
    surfaces.push_back(surface);
  }
  return surfaces;
}

SurfaceSlice::SurfaceSlice(Surface const& surface, double time)
    : x_{surface.log_moneyness}, least_{0.25 * *std::ranges::min_element(surface.volatility)} {
  std::size_t const count = x_.size();
  auto const& times = surface.time;
  double const within = std::clamp(time, times.front(), times.back());
  std::size_t const cell = cell_of(times, within);
  for (std::size_t i = 0; i < count; ++i) {
    auto const value = [&](std::size_t row) { return surface.volatility[row * count + i]; };
    if (times.size() == 1) {
      value_.push_back(value(0));
      continue;
    }
    double const width = times[cell + 1] - times[cell];
    HermiteCubic const cubic{width, value(cell), slope_of(times, cell, value), value(cell + 1),
                             slope_of(times, cell + 1, value)};
    value_.push_back(cubic.value_at((within - times[cell]) / width));
  }
  auto const value = [&](std::size_t i) { return value_[i]; };
  for (std::size_t i = 0; i < count; ++i) slope_.push_back(slope_of(x_, i, value));
}

double SurfaceSlice::at(double log_moneyness) const {
  return cubic_at(std::clamp(log_moneyness, x_.front(), x_.back()));
}

double SurfaceSlice::slope_at(double log_moneyness) const {
  bool const is_inside = log_moneyness >= x_.front() && log_moneyness <= x_.back();
  return is_inside ? cubic_slope_at(log_moneyness) : 0;
}

double SurfaceSlice::cubic_at(double log_moneyness) const {
  if (x_.size() == 1) return value_[0];
  std::size_t const i = cell_of(x_, log_moneyness);
  double const width = x_[i + 1] - x_[i];
  HermiteCubic const cubic{width, value_[i], slope_[i], value_[i + 1], slope_[i + 1]};
  return std::max(cubic.value_at((log_moneyness - x_[i]) / width), least_);
}

double SurfaceSlice::cubic_slope_at(double log_moneyness) const {
  if (x_.size() == 1) return 0;
  std::size_t const i = cell_of(x_, log_moneyness);
  double const width = x_[i + 1] - x_[i];
  HermiteCubic const cubic{width, value_[i], slope_[i], value_[i + 1], slope_[i + 1]};
  return cubic.slope_at((log_moneyness - x_[i]) / width);
}

}  // namespace makespan::asian
