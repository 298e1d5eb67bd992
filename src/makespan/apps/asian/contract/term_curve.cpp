// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/contract/term_curve.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include "makespan/base/error.hpp"
#include "makespan/simd/portable_math.hpp"

namespace makespan::asian {

namespace {

constexpr double total_max = 1200;  // e^600 is near the largest double; a variance counts half

[[noreturn]] void refuse(std::size_t curve, std::size_t point, std::string_view why) {
  throw InputError("curve " + std::to_string(curve + 1) + ": point " + std::to_string(point + 1) +
                       " cannot be used",
                   why, "check the curves with makespan.price, which names every wrong value");
}

bool is_dividend(CurveKind kind) {
  return kind == CurveKind::cash_dividend || kind == CurveKind::proportional_dividend;
}

bool is_volatility(CurveKind kind) {
  return kind == CurveKind::volatility || kind == CurveKind::forward_volatility;
}

void check_columns(CurveColumns const& columns) {
  auto const expected =
      columns.kind.empty() && columns.offset.empty() ? 0 : columns.kind.size() + 1;
  bool const in_order = std::ranges::is_sorted(columns.offset);
  auto const points = static_cast<std::int64_t>(columns.time.size());
  bool const fits = columns.offset.empty()
                        ? points == 0
                        : columns.offset.front() == 0 && columns.offset.back() == points;
  if (columns.offset.size() == expected && in_order && fits &&
      columns.value.size() == columns.time.size()) {
    return;
  }
  throw InputError("the columns of the curves do not belong together",
                   "there are " + std::to_string(columns.kind.size()) + " kinds, " +
                       std::to_string(columns.offset.size()) + " offsets, " +
                       std::to_string(columns.time.size()) + " times and " +
                       std::to_string(columns.value.size()) + " values",
                   "give one kind and one range of points for each curve");
}

// Of one point: the integral up to it, given that up to the one before.
double next_total(CurveKind kind, double total, double dt, double time, double value) {
  switch (kind) {
    case CurveKind::zero_rate:
      return value * time;
    case CurveKind::forward_rate:
      return total + value * dt;
    case CurveKind::volatility:
      return value * value * time;
    case CurveKind::forward_volatility:
      return total + value * value * dt;
    case CurveKind::proportional_dividend:
      return total + simd::portable_log(1 - value);
    case CurveKind::forward_price:
    case CurveKind::cash_dividend:
    case CurveKind::curve_kind_count:
      break;
  }
  return 0;
}

std::string_view why_not(CurveKind kind, double value, double before, double total) {
  if (!std::isfinite(value)) return "its value is no number";
  if (!(std::fabs(total) <= total_max)) return "its integral is above 1200";
  if (is_volatility(kind) && !(value > 0 && total > before)) {
    return "the total variance does not grow";
  }
  if (kind == CurveKind::cash_dividend && value < 0) return "it is negative";
  if (kind == CurveKind::proportional_dividend && !(value >= 0 && value < 1)) {
    return "it is not in 0 .. 1";
  }
  return {};
}

}  // namespace

double Curve::total_at(double at_time) const {
  double const reach = is_dividend(kind) ? at_time + same_time : at_time;
  auto const next = static_cast<std::size_t>(std::ranges::upper_bound(time, reach) - time.begin());
  if (is_dividend(kind)) return next == 0 ? 0 : total[next - 1];
  // The last interval goes on: a time may be the last point's.
  std::size_t const right = std::min(next, time.size() - 1);
  double const time_before = right == 0 ? 0 : time[right - 1];
  double const before = right == 0 ? 0 : total[right - 1];
  // A point's own total, without the rounding of an interpolation between it and the one before.
  if (at_time == time[right]) return total[right];
  double const share = (at_time - time_before) / (time[right] - time_before);
  return before + (total[right] - before) * share;
}

double Curve::root_total_at(double at_time) const {
  Curve root = *this;
  root.total = root_total;
  return root.total_at(at_time);
}

double Curve::slope_now() const {
  return is_dividend(kind) ? 0 : total.front() / time.front();
}

Curves::Curves(CurveColumns const& columns) {
  check_columns(columns);
  curves_.reserve(columns.kind.size());
  for (std::size_t i = 0; i < columns.kind.size(); ++i) {
    auto const begin = static_cast<std::size_t>(columns.offset[i]);
    auto const count = static_cast<std::size_t>(columns.offset[i + 1]) - begin;
    if (columns.kind[i] < 0 ||
        columns.kind[i] >= static_cast<std::int8_t>(CurveKind::curve_kind_count)) {
      refuse(i, 0, "no kind of curve has the number " + std::to_string(columns.kind[i]));
    }
    add(static_cast<CurveKind>(columns.kind[i]), columns.time.subspan(begin, count),
        columns.value.subspan(begin, count));
  }
}

void Curves::add(CurveKind kind, std::span<double const> time, std::span<double const> value) {
  std::size_t const curve = curves_.size();
  if (time.empty()) refuse(curve, 0, "there is none");
  double now = 1;  // forward price at time 0
  if (kind == CurveKind::forward_price) {
    now = value.front();
    if (time.front() != 0 || time.size() < 2) refuse(curve, 0, "forwards begin at time 0");
    if (!(now > 0 && std::isfinite(now))) refuse(curve, 0, "it is not a positive number");
    // The price now is what forwards are over; the integral has points after now, as others have.
    time = time.subspan(1);
    value = value.subspan(1);
  }
  // For messages: what `time` and `value` begin at.
  std::size_t const first = kind == CurveKind::forward_price ? 1 : 0;
  std::vector<double> total;
  std::vector<double> root_total;
  double time_before = 0;
  for (std::size_t i = 0; i < time.size(); ++i) {
    double const dt = time[i] - time_before;
    if (!(dt > 0 && std::isfinite(time[i])))
      refuse(curve, first + i, "times do not increase from above 0");
    double const before = total.empty() ? 0 : total.back();
    double next = next_total(kind, before, dt, time[i], value[i]);
    if (kind == CurveKind::forward_price) {
      if (!(value[i] > 0)) refuse(curve, first + i, "it is not a positive number");
      next = simd::portable_log(value[i] / now);
    }
    if (auto const why = why_not(kind, value[i], before, next); !why.empty())
      refuse(curve, first + i, why);
    total.push_back(next);
    if (is_volatility(kind)) {
      double const root_before = root_total.empty() ? 0 : root_total.back();
      // A constant volatility since the point before: sqrt(gain / dt) · dt.
      root_total.push_back(root_before + std::sqrt((next - before) * dt));
    }
    time_before = time[i];
  }
  // Spans into columns_ stay valid while it grows, since a vector that is moved keeps its memory.
  auto const keep = [&](auto const& values) {
    columns_.emplace_back(values.begin(), values.end());
    return std::span<double const>{columns_.back()};
  };
  curves_.push_back({kind, keep(time), keep(value), keep(total), keep(root_total)});
}

Curve const* Curves::at(std::int32_t number) const {
  return number == -1 ? nullptr : &curves_.at(static_cast<std::size_t>(number));
}

}  // namespace makespan::asian
