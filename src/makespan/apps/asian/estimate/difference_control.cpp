// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/estimate/difference_control.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "makespan/simd/portable_math.hpp"

namespace makespan::asian {

namespace {

constexpr double range = 9;  // of a normal's deviations
constexpr int intervals_first = 64;
constexpr int intervals_max = 1 << 15;
constexpr double tolerance = 1e-12;  // of the two means together
// Of both deviations: what is left of G's given H counts for nothing below it.
constexpr double function_share = 1e-7;

struct Two {
  double price;
  double difference;
};

// H = e^(level_short + deviation_short y) at one y, G lognormal given it.
class GivenShort {
 public:
  GivenShort(LognormalPair const& pair, double side, double strike)
      : pair_{pair}, side_{side}, strike_{strike} {
    // ln G as slope · y and what is independent of y.
    double const s = pair.deviation_short;
    slope_ = s > 0 ? pair.covariance / s : 0;
    double const rest = pair.deviation * pair.deviation - slope_ * slope_;
    deviation_ = std::sqrt(std::max(rest, 0.0));
  }

  [[nodiscard]] Two at(double y) const {
    double const taken = taken_at(y);
    double const log_forward = pair_.level + slope_ * y + 0.5 * deviation_ * deviation_;
    double const forward = simd::portable_exp(log_forward);
    double const strike = strike_ + taken;
    if (strike <= 0) {  // always above
      bool const exercised = side_ * (forward - strike) > 0;
      return exercised ? Two{side_ * (forward - strike), side_ * (forward - taken)} : Two{};
    }
    double const margin =
        (log_forward - simd::portable_log(strike)) / deviation_ + 0.5 * deviation_;
    double const above = simd::normal_cdf(side_ * margin);
    double const below = simd::normal_cdf(side_ * (margin - deviation_));
    return {side_ * (forward * above - strike * below), side_ * (forward * above - taken * below)};
  }

  // Whether G is known with H: there is nothing to integrate over.
  [[nodiscard]] bool is_function() const {
    return deviation_ <= function_share * (pair_.deviation + pair_.deviation_short);
  }

  // G - H - strike at one y, and its derivative.
  [[nodiscard]] double payoff_at(double y) const {
    return simd::portable_exp(pair_.level + slope_ * y) - taken_at(y) - strike_;
  }
  [[nodiscard]] double slope_at(double y) const {
    return slope_ * simd::portable_exp(pair_.level + slope_ * y) -
           pair_.deviation_short * taken_at(y);
  }

  // Of y in [from, to], times its density.
  [[nodiscard]] Two between(double from, double to) const {
    auto const part = [&](double level, double s) {
      double const mean = simd::portable_exp(level + 0.5 * s * s);
      return mean * (simd::normal_cdf(to - s) - simd::normal_cdf(from - s));
    };
    double const difference =
        part(pair_.level, slope_) - part(pair_.level_short, pair_.deviation_short);
    return {side_ * (difference - strike_ * part(0, 0)), side_ * difference};
  }

  // Where the integrand is more than a normal's tail.
  [[nodiscard]] double half_range() const {
    // e^(s y) times the normal density is one whose middle is at s.
    return range + std::max(std::fabs(slope_), pair_.deviation_short);
  }

 private:
  [[nodiscard]] double taken_at(double y) const {
    return simd::portable_exp(pair_.level_short + pair_.deviation_short * y);
  }

  LognormalPair const& pair_;
  double side_;
  double strike_;
  double slope_;
  double deviation_;
};

// Where a function that has opposite signs at both ends is 0.
template <class Of>
double root_between(double low, double high, Of const& of) {
  constexpr int halvings = 100;
  bool const rises = of(high) > 0;
  for (int i = 0; i < halvings; ++i) {
    double const middle = 0.5 * (low + high);
    bool const is_high = (of(middle) > 0) == rises;
    (is_high ? high : low) = middle;
  }
  return 0.5 * (low + high);
}

// G a function of H. The payoff turns once at most, its slope being a difference of two
// exponentials, so that it is 0 at two places at most, between which both are lognormals over an
// interval.
Two over_intervals(GivenShort const& given, double side) {
  double const end = given.half_range() + range;
  auto const payoff = [&](double y) { return given.payoff_at(y); };
  auto const slope = [&](double y) { return given.slope_at(y); };
  std::array<double, 4> cuts{-end, end, end, end};
  std::size_t count = 1;
  auto const add_root = [&](double low, double high) {
    if ((payoff(low) > 0) != (payoff(high) > 0)) cuts[count++] = root_between(low, high, payoff);
  };
  bool const turns = (slope(-end) > 0) != (slope(end) > 0);
  double const turn = turns ? root_between(-end, end, slope) : end;
  add_root(-end, turn);
  if (turns) add_root(turn, end);
  cuts[count] = end;
  Two sum{};
  for (std::size_t i = 0; i < count; ++i) {
    if (side * payoff(0.5 * (cuts[i] + cuts[i + 1])) <= 0) continue;
    Two const part = given.between(cuts[i], cuts[i + 1]);
    sum.price += part.price;
    sum.difference += part.difference;
  }
  return sum;
}

double mean_of(double level, double deviation) {
  return simd::portable_exp(level + 0.5 * deviation * deviation);
}

}  // namespace

DifferenceMeans difference_means(LognormalPair const& pair, double side, double strike) {
  GivenShort const given{pair, side, strike};
  double const mean_long = mean_of(pair.level, pair.deviation);
  double const mean_short = mean_of(pair.level_short, pair.deviation_short);
  double const mean = mean_long - mean_short;
  if (given.is_function()) {
    Two const known = over_intervals(given, side);
    return {known.price, known.difference, mean};
  }
  // H is a number: Black's formula.
  if (pair.deviation_short == 0) {
    Two const known = given.at(0);
    return {known.price, known.difference, mean};
  }
  // At both ends the integrand is nothing, so that the rule's points are all of one weight.
  double const low = -given.half_range();
  double const length = 2 * given.half_range();
  Two sum{};
  Two last{};
  // Points that earlier rounds have had are the even ones.
  for (int intervals = intervals_first; intervals <= intervals_max; intervals *= 2) {
    double const step = length / intervals;
    bool const is_first = intervals == intervals_first;
    for (int i = 1; i < intervals; i += is_first ? 1 : 2) {
      double const y = low + step * i;
      Two const here = given.at(y);
      double const density = simd::normal_density(y);
      sum.price += density * here.price;
      sum.difference += density * here.difference;
    }
    Two const now{sum.price * step, sum.difference * step};
    double const change =
        std::max(std::fabs(now.price - last.price), std::fabs(now.difference - last.difference));
    last = now;
    if (!is_first && change <= tolerance * (mean_long + mean_short)) break;
  }
  return {last.price, last.difference, mean};
}

}  // namespace makespan::asian
