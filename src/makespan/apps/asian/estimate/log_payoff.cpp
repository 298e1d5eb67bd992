// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/estimate/log_payoff.hpp"

#include "makespan/base/contracts.hpp"
#include "makespan/simd/portable_math.hpp"

namespace makespan::asian {

namespace {

// Means of the pieces that all outputs are made of, each with the side's sign and the exercise
// indicator.
struct LogMeans {
  double probability;  // of exercise
  double g;            // G
  double g_slope;      // G · x, for a normal x of covariance 1 with ln G
  double g_vega;       // G · (derivative of ln G's random part to the volatility)
  double boundary;     // the density term
};

// Rho, theta and dividend_rho from the others, as FillDerived in payoff-inl.hpp.
void fill_derived(CommonTerms const& common, double drift, double delta_pde, double gamma_pde,
                  Outputs& out) {
  out[dividend_rho] = -drift;
  out[rho] = common.rho_drift * drift - common.payment * out[price];
  out[theta] = common.rate * out[price] - common.drift * delta_pde -
               0.5 * common.volatility_now * common.volatility_now * gamma_pde;
}

LogMeans price_means(ContractLaw const& law) {
  double const side = law.common.side;
  double const s = law.log.deviation;
  double const forward = simd::portable_exp(law.log.level + 0.5 * s * s);
  if (law.log.strike <= 0) {  // always above
    double const called = side > 0 ? 1 : 0;
    return {called, called * forward, called * forward, called * forward * law.vega.logs, 0};
  }
  // The lemma with X = ln G - ln strike, and L = 0 or ln G, whose covariance with X over s is s.
  double const z = (law.log.level - simd::portable_log(law.log.strike)) / s;
  LogMeans means{};
  means.probability = side * simd::normal_cdf(side * z);
  means.g = side * forward * simd::normal_cdf(side * (z + s));
  means.g_slope = means.g + forward / s * simd::normal_density(z + s);
  means.g_vega = law.vega.logs * means.g_slope;
  // The density of G at the strike.
  means.boundary = simd::normal_density(z) / (law.log.strike * s);
  return means;
}

Outputs price_outputs(ContractLaw const& law, IndicatorTerms const& indicator) {
  CommonTerms const& common = law.common;
  LogTerms const& log = law.log;
  LogMeans const means = price_means(law);
  Outputs out{};
  out[price] = means.g - log.strike * means.probability;
  out[delta] = log.share * means.g + indicator.delta * means.probability;
  out[gamma] = log.gamma_linear * means.g + log.gamma_scale * means.boundary +
               indicator.gamma * means.probability;
  out[vega] = means.g_vega - log.volatility_time * means.g;
  double const delta_pde = log.share_pde * means.g - log.shift_pde * means.probability;
  double const gamma_pde = log.gamma_linear_pde * means.g + log.gamma_scale_pde * means.boundary;
  fill_derived(common, log.time * means.g, delta_pde, gamma_pde, out);
  if (common.has_own_theta) {
    double const gain = log.theta_constant * means.g + law.log_theta_covariance * means.g_slope;
    out[theta] = common.rate * out[price] - gain;
  }
  return out;
}

Outputs strike_outputs(ContractLaw const& law) {
  CommonTerms const& common = law.common;
  LogTerms const& log = law.log;
  double const side = common.side;
  double const k = common.multiplier;
  double const s = log.deviation;
  double const a = law.arithmetic.direction_end;
  double const power = log.boundary_power;
  double const margin = (law.terminal_level - log.level - simd::portable_log(k)) / s;
  double const g_forward = simd::portable_exp(log.level + 0.5 * law.log_variance);

  // The lemma with X = ln S_T - ln(k G): over s, X has the covariance a with ln S_T and a - s with
  // ln G.
  double const end = side * law.forward.terminal * simd::normal_cdf(side * (margin + a));
  double const kg = k * side * g_forward * simd::normal_cdf(side * (margin + a - s));
  double const end_slope =
      law.forward.terminal * law.vega.end_exercise * simd::normal_density(margin + a);
  double const kg_vega = law.vega.logs * kg + k * g_forward * law.vega.logs_exercise *
                                                  simd::normal_density(margin + a - s);
  // E[S_T^power δ(X)]: the mean of the power times X's density, its mean moved likewise.
  double const end_power =
      simd::portable_exp(power * law.terminal_level + 0.5 * law.terminal_variance);
  double const boundary = end_power * simd::normal_density(margin + power * a) / s;

  Outputs out{};
  out[price] = end - kg;
  out[delta] = end - log.share * kg;
  out[gamma] = log.gamma_scale * boundary - log.gamma_linear * kg;
  out[vega] = end_slope - (kg_vega - log.volatility_time * kg);
  double const delta_pde = end - log.share_pde * kg;
  double const gamma_pde = log.gamma_scale_pde * boundary - log.gamma_linear_pde * kg;
  fill_derived(common, common.expiry * end - log.time * kg, delta_pde, gamma_pde, out);
  return out;
}

}  // namespace

Outputs log_outputs(ContractLaw const& law, Payoff payoff) {
  MAKESPAN_EXPECT(law.log.deviation > 0);
  return payoff == Payoff::average_price ? price_outputs(law, {}) : strike_outputs(law);
}

Outputs single_price_outputs(ContractLaw const& law, IndicatorTerms const& indicator) {
  MAKESPAN_EXPECT(law.log.deviation > 0);
  return price_outputs(law, indicator);
}

}  // namespace makespan::asian
