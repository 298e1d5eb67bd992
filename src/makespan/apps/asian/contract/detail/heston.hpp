// SPDX-License-Identifier: Apache-2.0
// A variance that is random.
#pragma once

namespace makespan::asian {

// dV = mean_reversion (variance_mean - V) dt + variance_volatility sqrt(V) dB, B of the given
// correlation with the price's Brownian motion: S. Heston, Review of Financial Studies 6 (1993)
// 327-343. All 0 without.
struct Heston {
  double variance_now;         // v0 [1/year]
  double mean_reversion;       // kappa [1/year], above 0
  double variance_mean;        // theta [1/year], above 0
  double variance_volatility;  // xi, of the variance [1/year], above 0
  double correlation;          // rho, in -1 .. 1

  [[nodiscard]] bool is_given() const { return variance_volatility > 0; }
};

// Below it closed forms, which divide by its square, lose more digits than such a volatility of the
// variance is worth.
inline constexpr double heston_volatility_min = 1e-3;

// Mean of the variance from now to `time` [1/year].
[[nodiscard]] double mean_variance(Heston const& model, double time);

}  // namespace makespan::asian
