// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/estimate/difference_control.hpp"

#include <algorithm>
#include <cmath>

#include "makespan/simd/portable_math.hpp"

namespace makespan::asian {

namespace {

constexpr double range = 9;  // of a normal's deviations
constexpr int intervals_first = 64;
constexpr int intervals_max = 1 << 15;
constexpr double tolerance = 1e-12;  // of the two means together

struct Two {
  double price;
  double difference;
};

// H = e^(level_short + deviation_short y) at one y, G lognormal given it.
class GivenShort {
 public:
  GivenShort(LognormalPair const& pair, double side, double strike)
      : pair_{pair}, side_{side}, strike_{strike} {
    double const s = pair.deviation_short;
    slope_ = s > 0 ? pair.covariance / s : 0;
    double const rest = pair.deviation * pair.deviation - slope_ * slope_;
    deviation_ = std::sqrt(std::max(rest, 0.0));
  }

  [[nodiscard]] Two at(double y) const {
    double const taken = simd::portable_exp(pair_.level_short + pair_.deviation_short * y);
    double const log_forward = pair_.level + slope_ * y + 0.5 * deviation_ * deviation_;
    double const forward = simd::portable_exp(log_forward);
    double const strike = strike_ + taken;
    bool const is_known = strike <= 0 || deviation_ < 1e-12;
    if (is_known) {
      bool const exercised = side_ * (forward - strike) > 0;
      return exercised ? Two{side_ * (forward - strike), side_ * (forward - taken)} : Two{};
    }
    double const margin =
        (log_forward - simd::portable_log(strike)) / deviation_ + 0.5 * deviation_;
    double const above = simd::normal_cdf(side_ * margin);
    double const below = simd::normal_cdf(side_ * (margin - deviation_));
    return {side_ * (forward * above - strike * below), side_ * (forward * above - taken * below)};
  }

  // Where the integrand is more than a normal's tail.
  [[nodiscard]] double half_range() const {
    return range + std::max(std::fabs(slope_), pair_.deviation_short);
  }

 private:
  LognormalPair const& pair_;
  double side_;
  double strike_;
  double slope_;
  double deviation_;
};

double mean_of(double level, double deviation) {
  return simd::portable_exp(level + 0.5 * deviation * deviation);
}

}  // namespace

DifferenceMeans difference_means(LognormalPair const& pair, double side, double strike) {
  GivenShort const given{pair, side, strike};
  double const mean_long = mean_of(pair.level, pair.deviation);
  double const mean_short = mean_of(pair.level_short, pair.deviation_short);
  double const mean = mean_long - mean_short;
  if (pair.deviation_short == 0) {
    Two const known = given.at(0);
    return {known.price, known.difference, mean};
  }
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
    double const change = std::fabs(now.price - last.price);
    last = now;
    if (!is_first && change <= tolerance * (mean_long + mean_short)) break;
  }
  return {last.price, last.difference, mean};
}

}  // namespace makespan::asian
