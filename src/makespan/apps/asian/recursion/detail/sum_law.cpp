// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/recursion/detail/sum_law.hpp"

#include <algorithm>
#include <cmath>

#include "makespan/simd/portable_math.hpp"

namespace makespan::asian::recursion {

namespace {

// Groups of terms, each of which is taken to have the variance of its last: few exponentials, and a
// range that is wider rather than narrower, since variances rise.
constexpr std::size_t groups_max = 8;

// Below it e^x - 1 and ln(1 + x) are series: of what stands beside the 1 as many digits are lost as
// it is small, all of them from 1e-16 on.
constexpr double series_below = 1e-5;

// E[A^2] / E[A]^2 - 1 of A = S_1 (w + A'), of which A' has `second` and the share `share`:
// e^v (1 + share^2 second) - 1.
double second_of(double variance, double share, double second) {
  if (variance >= series_below) {
    double const spread = simd::portable_exp(variance);
    return spread * (1 + share * share * second) - 1;
  }
  // The first term that is left out is below 1e-21 of the sum.
  double const rise = variance * (1 + variance / 2 * (1 + variance / 3 * (1 + variance / 4)));
  return rise + (1 + rise) * share * share * second;
}

double log_of_1_and(double x) {
  return x >= series_below ? simd::portable_log(1 + x)
                           : x * (1 - x * (1.0 / 2 - x * (1.0 / 3 - x / 4)));
}

}  // namespace

void SumLaw::clear() {
  for (auto* values : {&growth, &variance, &weight, &vega_rate, &drift_rate}) values->clear();
}

void SumLaw::add(double step_growth, double step_variance, double price_weight,
                 double step_vega_rate, double step_drift_rate) {
  growth.push_back(step_growth);
  variance.push_back(step_variance);
  weight.push_back(price_weight);
  vega_rate.push_back(step_vega_rate);
  drift_rate.push_back(step_drift_rate);
}

void remaining_sums(SumLaw const& law, std::vector<RemainingSum>& sums) {
  sums.resize(law.steps());
  double forward = 0;
  double by_drift = 0;
  double by_last = 1;
  double second = 0;  // E[A^2] over E[A]^2, less 1
  for (std::size_t i = law.steps(); i-- > 0;) {
    double const factor = simd::portable_exp(law.growth[i]);
    double const weight = law.weight[i];
    // The price of the step's end moves weight and what follows alike; what follows moves besides.
    second = second_of(law.variance[i], forward / (weight + forward), second);
    by_drift = factor * by_drift + law.drift_rate[i] * factor * (weight + forward);
    by_last *= factor;
    forward = factor * (weight + forward);
    sums[i] = {forward, by_drift, by_last, std::sqrt(log_of_1_and(second))};
  }
}

StrikeRanges::StrikeRanges(SumLaw const& law) : variance_{0}, growth_{0}, forward_{0} {
  for (std::size_t i = 0; i < law.steps(); ++i) {
    variance_.push_back(variance_.back() + law.variance[i]);
    growth_.push_back(growth_.back() + law.growth[i]);
    forward_.push_back(forward_.back() + law.weight[i] * simd::portable_exp(growth_.back()));
  }
}

StrikeRange StrikeRanges::range(std::size_t step, double deviations) const {
  std::size_t const terms = variance_.size() - 1 - step;
  std::size_t const groups = std::min(groups_max, terms);
  double const unit = simd::portable_exp(-growth_[step]);
  double low = 0;
  double high = 0;
  for (std::size_t j = 0; j < groups; ++j) {
    std::size_t const begin = step + terms * j / groups;
    std::size_t const end = step + terms * (j + 1) / groups;
    double const mean = (forward_[end] - forward_[begin]) * unit;
    double const variance = variance_[end] - variance_[step];
    double const reach = deviations * std::sqrt(variance);
    // A price is mean · e^(s z - s^2 / 2), at z = -deviations and, weighted by itself, at z =
    // deviations + s.
    low += mean * simd::portable_exp(-reach - 0.5 * variance);
    high += mean * simd::portable_exp(reach + 0.5 * variance);
  }
  return {simd::portable_log(low), simd::portable_log(high)};
}

}  // namespace makespan::asian::recursion
