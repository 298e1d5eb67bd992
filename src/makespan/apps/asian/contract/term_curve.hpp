// SPDX-License-Identifier: Apache-2.0
// Quantities that change with time, as their integrals from now on: interest, growth, variance.
#pragma once

#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

namespace makespan::asian {

// What the values of a curve's points are. Rates are continuously compounded; times in years.
enum class CurveKind : std::uint8_t {
  zero_rate,              // mean rate from now to the point
  forward_rate,           // rate since the point before
  volatility,             // root mean square from now to the point
  forward_volatility,     // since the point before
  forward_price,          // of the asset, for delivery at the point; the first point is now
  cash_dividend,          // amount paid [price]
  proportional_dividend,  // share of the price paid
  curve_kind_count
};

// A dividend is paid before a fixing at its time, or so little before it: times that are computed
// in two ways differ in their last digits.
inline constexpr double same_time = 1e-9;  // [years], 32 ms

// An integral from time 0 on, known at some times and linear between them; a dividend's is a step.
// Between its points a rate or volatility is thus constant, and a total variance linear.
struct Curve {
  CurveKind kind;
  std::span<double const> time;   // [years], strictly increasing, above 0
  std::span<double const> value;  // as given
  // Up to each time: of the rate, of the squared volatility, ln(forward / first forward), or the
  // sum of ln(1 - proportional dividend).
  std::span<double const> total;
  std::span<double const> root_total;  // of the volatility itself; else empty

  // `at_time` in 0 .. time.back(), or beyond for dividends.
  [[nodiscard]] double total_at(double at_time) const;
  [[nodiscard]] double root_total_at(double at_time) const;
  [[nodiscard]] double slope_now() const;  // of the total
};

// Curves as columns: curve i has the points offset[i] .. offset[i + 1] - 1. Not owned.
struct CurveColumns {
  std::span<std::int8_t const> kind;
  std::span<std::int64_t const> offset;  // one more than curves; may be empty if there are none
  std::span<double const> time;
  std::span<double const> value;
};

// Curves with their totals. Moving it leaves pointers into it valid.
class Curves {
 public:
  // Throws InputError, naming curve and point, if a curve could not be used. It is a second fence:
  // messages for people who write curves come from python/makespan/pricing/book.
  explicit Curves(CurveColumns const& columns);
  Curves(Curves const&) = delete;
  Curves& operator=(Curves const&) = delete;
  Curves(Curves&&) = default;
  Curves& operator=(Curves&&) = default;
  ~Curves() = default;

  // Null for -1. Throws std::out_of_range for other numbers that no curve has.
  [[nodiscard]] Curve const* at(std::int32_t number) const;
  [[nodiscard]] std::int64_t count() const { return std::ssize(curves_); }

 private:
  void add(CurveKind kind, std::span<double const> time, std::span<double const> value);

  std::vector<std::vector<double>> columns_;  // what the curves' spans look at
  std::vector<Curve> curves_;
};

}  // namespace makespan::asian
