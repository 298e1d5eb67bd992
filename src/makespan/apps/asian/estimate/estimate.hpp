// SPDX-License-Identifier: Apache-2.0
// Prices, Greeks and their standard errors from sums of moments.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "makespan/apps/asian/kernel/moment_job.hpp"

namespace makespan::asian {

// What the moments were taken about (the controls about their exact means); per output.
struct EstimateTerms {
  Estimator estimator;
  bool greeks;
  std::array<double, output_count> centre;
  std::array<double, output_count> jump;  // of a Greek where exercise begins (exercise_jump.hpp)
  std::array<double, output_count>
      floor;  // what a standard error is at least when hardly any path was exercised
  // That, over the price's own error then, for outputs of which the control has no mean.
  std::array<double, output_count> floor_over_price;
  double price_min;       // a lower bound of the price, 0 if none is known
  double resolution;      // what a linear control must still vary by, given those before it
  double rho_over_price;  // where rho is nothing but the price times this; else 0
};

struct Estimate {
  std::array<double, output_count>
      value;  // in units of the spot, undiscounted; NaN for outputs not asked for
  std::array<double, output_count> std_error;  // of the mean
  double control_beta;                         // of the price's control; NaN if none
  double path_variance;                        // of one plain path's payoff
  std::int64_t exercised;                      // samples with a payoff
};

// Fewer exercised samples than this say little of the payoff's variance.
inline constexpr std::int64_t exercised_min = 64;

// The error of a controlled estimate comes from the few samples that only one of payoff and control
// exercises. This many of them are taken to have been missed: with none seen, their number is below
// 2 in six of seven cases, and the intervals of docs/explanation/validation.md cover at any number
// of samples.
inline constexpr double unseen_samples = 2;

// From independent samples. Controls are fitted: the coefficients minimise the residual variance in
// the sample itself, which biases the mean by O(1/samples) of the error (P. Glasserman, Monte Carlo
// Methods in Financial Engineering (2004), 4.1.3).
Estimate estimate(EstimateTerms const& terms, std::span<double const> moments,
                  std::int64_t samples);

// From replicates of a randomised low-discrepancy set, `samples` points each: the coefficients come
// from all of them together, the errors from the spread of the replicates' means, of which there
// are at least two.
Estimate estimate_replicates(EstimateTerms const& terms,
                             std::span<std::vector<double> const> moments, std::int64_t samples);

}  // namespace makespan::asian
