// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/contract/contract_law.hpp"

#include <cmath>
#include <cstddef>

#include "makespan/simd/portable_math.hpp"

namespace makespan::asian {

namespace {

double squared(double x) {
  return x * x;
}

ForwardTerms make_forward(Contract const& contract, Schedule const& schedule, double constant) {
  ForwardTerms forward{constant, 0, simd::portable_exp(contract.drift * contract.expiry)};
  for (std::size_t i = 0; i < schedule.time.size(); ++i) {
    double const part = schedule.weight[i] * schedule.forward[i];
    forward.average += part;
    forward.average_time += part * schedule.time[i];
  }
  return forward;
}

// p_i, and with them the derivative of ln G to the drift.
void weigh_logs(Contract const& contract, double total, Schedule& schedule, LogTerms& log) {
  bool const arithmetic = contract.average == Average::arithmetic;
  log.time = 0;
  log.share = 0;
  for (std::size_t i = 0; i < schedule.time.size(); ++i) {
    double const p =
        arithmetic ? schedule.weight[i] * schedule.forward[i] / total : schedule.weight[i];
    schedule.log_weight[i] = p;
    log.time += p * schedule.time[i];
    log.share += p;
  }
}

// Tails and covariances of the weighted Brownian sum; returns its variance [years].
double correlate(Schedule& schedule) {
  double tail = 0;
  for (std::size_t i = schedule.time.size(); i-- > 0;) {
    tail += schedule.log_weight[i];
    schedule.tail_weight[i] = tail;
  }
  double covariance = 0;
  double variance = 0;
  double before = 0;
  for (std::size_t i = 0; i < schedule.time.size(); ++i) {
    double const dt = schedule.time[i] - before;
    covariance += dt * schedule.tail_weight[i];
    variance += dt * squared(schedule.tail_weight[i]);
    schedule.covariance[i] = covariance;
    before = schedule.time[i];
  }
  return variance;
}

// a_i, the covariance of ln S_i with the standardised exercise variable; returns that variable's
// deviation.
double point(Contract const& contract, double variance, Schedule& schedule) {
  double const sigma2 = squared(contract.volatility);
  bool const on_price = contract.payoff == Payoff::average_price;
  double const end = schedule.covariance.empty() ? 0 : schedule.covariance.back();
  double const exercise = on_price ? variance : contract.expiry + variance - 2 * end;
  double const deviation = std::sqrt(sigma2 * (exercise > 0 ? exercise : 0));
  double const scale = deviation > 0 ? sigma2 / deviation : 0;
  for (std::size_t i = 0; i < schedule.time.size(); ++i) {
    schedule.direction[i] =
        scale * (on_price ? schedule.covariance[i] : schedule.time[i] - schedule.covariance[i]);
  }
  return deviation;
}

void fill_arithmetic(Contract const& contract, ContractLaw& law, Schedule const& schedule) {
  ArithmeticTerms& terms = law.arithmetic;
  double const k = contract.multiplier;
  bool const on_price = contract.payoff == Payoff::average_price;
  terms.level = payoff_level(contract);
  terms.gamma_scale = on_price ? squared(terms.level) : squared(k * terms.level);
  terms.gamma_scale_pde = on_price ? squared(terms.level - terms.constant)
                                   : squared(k * (terms.level + terms.constant));
  terms.terminal_scale = 1;
  terms.direction_end = on_price || schedule.direction.empty() ? 0 : schedule.direction.back();
}

// The control of an arithmetic payoff: like it, but for the shape of the average.
void fill_control(Contract const& contract, ContractLaw& law, double total) {
  LogTerms& log = law.log;
  double const sigma2 = squared(contract.volatility);
  bool const on_price = contract.payoff == Payoff::average_price;
  log.strike = on_price ? law.arithmetic.level : 0;
  log.level = simd::portable_log(total) - 0.5 * sigma2 * log.time;
  log.share = on_price ? 1 : law.forward.average / total;
  log.share_pde = on_price ? 1 : (law.forward.average - law.arithmetic.constant) / total;
  log.shift_pde = on_price ? law.arithmetic.constant : 0;
  log.gamma_linear = 0;
  log.gamma_linear_pde = 0;
  log.gamma_scale = law.arithmetic.gamma_scale;
  log.gamma_scale_pde = law.arithmetic.gamma_scale_pde;
  log.boundary_power = -1;
}

// A geometric payoff. Its average is proportional to spot^share, where share is the weight of the
// future fixings.
void fill_geometric(Contract const& contract, ContractLaw& law) {
  LogTerms& log = law.log;
  bool const on_price = contract.payoff == Payoff::average_price;
  double const simulated = log.share;
  double const share = static_cast<double>(contract.fixings) / fixings_total(contract);
  double const strike = on_price ? contract.strike / contract.spot : 0;
  double const past = contract.past_log_sum / fixings_total(contract);
  log.strike = strike;
  log.level = past + (share - 1) * simd::portable_log(contract.spot) +
              (contract.drift - 0.5 * squared(contract.volatility)) * log.time;
  log.share = share;
  log.share_pde = simulated;
  log.shift_pde = 0;
  log.gamma_linear = share * (share - 1);
  log.gamma_linear_pde = log.share_pde * (log.share_pde - 1);
  log.gamma_scale = on_price ? squared(share * strike) : squared(1 - share);
  log.gamma_scale_pde = on_price ? squared(log.share_pde * strike) : squared(1 - log.share_pde);
  log.boundary_power = 1;
}

}  // namespace

ContractLaw make_law(Contract const& contract, Schedule& schedule) {
  ContractLaw law{};
  double const total_fixings = fixings_total(contract);
  bool const arithmetic = contract.average == Average::arithmetic;
  law.common = {contract.side,      contract.volatility, contract.rate,
                contract.drift,     contract.expiry,     contract.drift_given ? 0.0 : 1.0,
                contract.multiplier};
  law.discount = simd::portable_exp(-contract.rate * contract.expiry);
  law.past_share = arithmetic ? contract.past_sum / total_fixings / contract.spot : 0;
  law.arithmetic.constant = share_now(contract);
  law.forward = make_forward(contract, schedule, law.arithmetic.constant);
  law.terminal_level = (contract.drift - 0.5 * squared(contract.volatility)) * contract.expiry;
  double const total =
      law.forward.average + (contract.payoff == Payoff::average_strike ? law.past_share : 0);
  weigh_logs(contract, total, schedule, law.log);
  double const variance = correlate(schedule);
  law.log_variance = squared(contract.volatility) * variance;
  law.log.deviation = point(contract, variance, schedule);
  fill_arithmetic(contract, law, schedule);
  if (arithmetic) {
    fill_control(contract, law, total);
  } else {
    fill_geometric(contract, law);
  }
  return law;
}

Outputs forward_outputs(ContractLaw const& law, Payoff payoff) {
  CommonTerms const& common = law.common;
  double const k = common.multiplier;
  bool const on_price = payoff == Payoff::average_price;
  double const constant = law.arithmetic.constant;
  Outputs out{};
  out[price] = on_price ? law.forward.average - law.arithmetic.level
                        : law.forward.terminal - k * (law.forward.average + law.arithmetic.level);
  out[delta] = on_price ? law.forward.average : law.forward.terminal - k * law.forward.average;
  double const drift = on_price
                           ? law.forward.average_time
                           : common.expiry * law.forward.terminal - k * law.forward.average_time;
  double const delta_pde = on_price ? out[delta] - constant : out[delta] + k * constant;
  out[dividend_rho] = -drift;
  out[rho] = common.rho_drift * drift - common.expiry * out[price];
  out[theta] = common.rate * out[price] - common.drift * delta_pde;
  return out;
}

double cheaper_side(ContractLaw const& law, Payoff payoff) {
  constexpr double log_variance_wide = 1;
  bool const wide = payoff == Payoff::average_price && law.log_variance > log_variance_wide;
  return wide || forward_outputs(law, payoff)[price] > 0 ? -1 : 1;
}

}  // namespace makespan::asian
