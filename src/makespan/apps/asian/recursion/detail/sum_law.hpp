// SPDX-License-Identifier: Apache-2.0
// A weighted sum of prices whose logarithms have independent normal increments, and what is known
// of it in closed form.
#pragma once

#include <cstddef>
#include <vector>

namespace makespan::asian::recursion {

// The sum of weight[i] S_(i+1), S_0 = 1, on steps in order of time; shape (steps) each, at least
// one step, variances and weights positive.
struct SumLaw {
  std::vector<double> growth;      // ln E[S_(i+1) / S_i]
  std::vector<double> variance;    // of ln S_(i+1) / S_i
  std::vector<double> weight;      // of the price at the step's end
  std::vector<double> vega_rate;   // half the derivative of `variance` to the volatility
  std::vector<double> drift_rate;  // derivative of `growth` to the drift [years]

  [[nodiscard]] std::size_t steps() const { return weight.size(); }
  void clear();
  void add(double step_growth, double step_variance, double price_weight, double step_vega_rate,
           double step_drift_rate);
};

// What is left of a sum at one time, per unit of the price then.
struct RemainingSum {
  double forward;         // its mean
  double by_drift;        // derivative of the mean to the drift
  double by_last_weight;  // and to the weight of the last price
  double deviation;       // of the logarithm of the lognormal with the same mean and variance
};

// By step: before it. Shape (steps).
void remaining_sums(SumLaw const& law, std::vector<RemainingSum>& sums);

// The range of ln(strike) outside of which a call on what is left before `step` is its line, or 0:
// `deviations` of a normal variable on either side of the sum whose terms all move with that
// variable. That sum is larger than ours in convex order (R. Kaas, J. Dhaene, M. Goovaerts,
// Insurance: Mathematics and Economics 27 (2000) 151-168), so that its tails hold ours. A call's
// tail is that of its sum weighted by the sum itself, which moves the normal variable up by its own
// deviation.
struct StrikeRange {
  double low;
  double high;
};
class StrikeRanges {
 public:
  // Keeps a reference to the law.
  explicit StrikeRanges(SumLaw const& law);

  [[nodiscard]] StrikeRange range(std::size_t step, double deviations) const;

 private:
  std::vector<double> variance_;  // (steps + 1): from time 0 up to each price
  std::vector<double> growth_;    // likewise
  std::vector<double> forward_;   // sum of weighted means up to each price
};

}  // namespace makespan::asian::recursion
