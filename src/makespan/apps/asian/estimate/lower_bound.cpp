// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/estimate/lower_bound.hpp"

#include <cmath>
#include <cstddef>

#include "makespan/base/contracts.hpp"
#include "makespan/simd/portable_math.hpp"

namespace makespan::asian {

namespace {

// Mean of the simulated part of the average given Z = z, and its derivative to z.
struct ConditionalMean {
  double value;
  double slope;
};

ConditionalMean conditional_mean(Schedule const& schedule, double z, Kernels const& kernels,
                                 std::vector<double>& work) {
  for (std::size_t i = 0; i < work.size(); ++i) {
    double const a = schedule.direction[i];
    // Given Z, ln S_i has a_i z more mean and a_i^2 less variance: E[S_i | Z] is F_i e^this.
    work[i] = a * (z - 0.5 * a);
  }
  kernels.exp_all(work, work.data());
  ConditionalMean mean{0, 0};
  for (std::size_t i = 0; i < work.size(); ++i) {
    double const part = schedule.weight[i] * schedule.forward[i] * work[i];
    mean.value += part;
    mean.slope += part * schedule.direction[i];
  }
  return mean;
}

// The z at which the conditional mean is `level`, by Newton's method on logarithms, in which it is
// nearly a straight line.
double boundary(ContractLaw const& law, Schedule const& schedule, double level,
                Kernels const& kernels, std::vector<double>& work) {
  double const target = simd::portable_log(level);
  double z = (target - law.log.level) / law.log.deviation;
  for (int iteration = 0; iteration < 50; ++iteration) {
    ConditionalMean const mean = conditional_mean(schedule, z, kernels, work);
    if (!(mean.value > 0) || !(mean.slope > 0)) return z;
    double const step = (target - simd::portable_log(mean.value)) * mean.value / mean.slope;
    z += step;
    if (std::fabs(step) < 1e-12 * (1 + std::fabs(z))) return z;
  }
  return z;
}

}  // namespace

double lower_bound(ContractLaw const& law, Schedule const& schedule, Kernels const& kernels,
                   std::vector<double>& work) {
  double const side = law.common.side;
  double const level = law.arithmetic.level - law.arithmetic.constant;
  MAKESPAN_EXPECT(law.log.deviation > 0);
  MAKESPAN_EXPECT(level > 0);
  work.resize(schedule.time.size());
  double const z = boundary(law, schedule, level, kernels, work);
  // The conditional mean rises with Z, so that it is exercised on one side of z: there S_i has the
  // mean F_i Phi(a_i - z).
  for (std::size_t i = 0; i < work.size(); ++i) work[i] = side * (schedule.direction[i] - z);
  kernels.normal_cdf_all(work, work.data());
  double sum = 0;
  for (std::size_t i = 0; i < work.size(); ++i)
    sum += schedule.weight[i] * schedule.forward[i] * work[i];
  return side * (sum - level * simd::normal_cdf(-side * z));
}

}  // namespace makespan::asian
