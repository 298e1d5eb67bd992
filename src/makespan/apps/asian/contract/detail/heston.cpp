// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/contract/detail/heston.hpp"

#include "makespan/simd/portable_math.hpp"

namespace makespan::asian {

double mean_variance(Heston const& model, double time) {
  double const x = model.mean_reversion * time;
  // The difference loses its digits as x falls; two terms of the series are exact to a double
  // there.
  double const share = x > 1e-8 ? (1 - simd::portable_exp(-x)) / x : 1 - 0.5 * x;
  return model.variance_mean + (model.variance_now - model.variance_mean) * share;
}

}  // namespace makespan::asian
