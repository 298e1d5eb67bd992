// SPDX-License-Identifier: Apache-2.0
// Steps of paths whose variance is random: S. Heston, Review of Financial Studies 6 (1993) 327-343,
//   dS = b S dt + sqrt(V) S dW,  dV = kappa (theta - V) dt + xi sqrt(V) dB,  dW dB = rho dt,
// by the quadratic-exponential scheme with martingale correction: L. Andersen, J. Computational
// Finance 11(3) (2008) 1-42.
#pragma once

#include <span>

namespace makespan::asian {

// One step of the variance; a fixing ends at some of them. Given V, the next V has the mean theta +
// (V - theta) mean_factor and the variance V variance_slope + variance_constant.
struct HestonStep {
  double mean_factor;        // e^(-kappa dt)
  double variance_slope;     // xi^2 e^(-kappa dt) (1 - e^(-kappa dt)) / kappa
  double variance_constant;  // theta xi^2 (1 - e^(-kappa dt))^2 / (2 kappa)
  // ln S += growth + K0 + next V' + sqrt(noise (V + V')) Z; K0 makes S a martingale but for its
  // growth.
  double growth;
  double next;
  double noise;
  double exponent;  // next + noise / 2
  // Derivatives of the next V's mean and variance to a shift of all volatilities, by theta.
  double mean_vega;
  double spread_vega;
  double weight;      // of the price at its end in the average; 0 where there is no fixing
  double log_weight;  // and of its logarithm, less the growth, in the control
  double tail;        // of that and all later ones
  double time;        // at its end [years]
  bool has_price;     // whether the price at its end is looked at
};

// Derivatives of the first step to its length, for theta.
struct HestonDrift {
  double mean;    // of the next V, given V now
  double spread;  // of its variance
  double noise;
  double next;
  double exponent;
  double growth;
};

struct HestonPlan {
  std::span<HestonStep const> steps;
  double variance_now;
  double variance_mean;  // theta
  double variance_vega;  // derivative of the variance now to a shift of all volatilities
  HestonDrift drift;
};

}  // namespace makespan::asian
