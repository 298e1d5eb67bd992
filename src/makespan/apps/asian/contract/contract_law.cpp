// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/contract/contract_law.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "makespan/apps/asian/contract/term_structure.hpp"
#include "makespan/simd/portable_math.hpp"

namespace makespan::asian {

namespace {

double squared(double x) {
  return x * x;
}

// As time passes the whole spot grows, the dividends in it too.
double spot_share(Contract const& contract) {
  return 1 + contract.cash_dividends.present_value / contract.spot;
}

ForwardTerms make_forward(Contract const& contract, Schedule const& schedule, double constant) {
  ForwardTerms forward{constant, 0, simd::portable_exp(growth_to(contract, contract.expiry)), 0};
  for (std::size_t i = 0; i < schedule.time.size(); ++i) {
    double const part = schedule.weight[i] * schedule.forward[i];
    forward.average += part;
    forward.average_time += part * schedule.time[i];
  }
  return forward;
}

// p_i, and with them the derivatives of ln G to the drift and the spot, and what it loses by
// variance and by a shift of the volatility.
void weigh_logs(Contract const& contract, double total, Schedule& schedule, ContractLaw& law) {
  bool const arithmetic = contract.average == Average::arithmetic;
  LogTerms& log = law.log;
  double clock = 0;
  log.time = 0;
  log.share = 0;
  log.volatility_time = 0;
  for (std::size_t i = 0; i < schedule.time.size(); ++i) {
    double const p =
        arithmetic ? schedule.weight[i] * schedule.forward[i] / total : schedule.weight[i];
    schedule.log_weight[i] = p;
    log.time += p * schedule.time[i];
    log.volatility_time += p * schedule.volatility[i];
    clock += p * schedule.clock[i];
    log.share += p;
  }
  // Under a random variance the logarithms that paths add up have lost theirs already
  // (heston_walk-inl.hpp).
  law.log_convexity = contract.heston.is_given() ? 0 : 0.5 * squared(contract.volatility) * clock;
}

// Of the weighted Brownian sum and of what a shift of the volatility makes of it.
struct SumMoments {
  double variance;     // [years of the clock]
  double vega;         // the integral of the volatility, weighted by the squared tails
  double vega_linear;  // and by the tails
};

// Tails and covariances of the weighted Brownian sum.
SumMoments correlate(Schedule& schedule) {
  // A step's increment is in all later prices: the sum of p_j B_j is that of the steps' increments,
  // each times the tail of p from its end on.
  double tail = 0;
  for (std::size_t i = schedule.time.size(); i-- > 0;) {
    tail += schedule.log_weight[i];
    schedule.tail_weight[i] = tail;
  }
  double covariance = 0;
  double before = 0;
  double volatility_before = 0;
  SumMoments sums{};
  for (std::size_t i = 0; i < schedule.time.size(); ++i) {
    double const dt = schedule.clock[i] - before;
    double const volatility = schedule.volatility[i] - volatility_before;
    double const weight = schedule.tail_weight[i];
    covariance += dt * weight;
    sums.variance += dt * squared(weight);
    sums.vega += volatility * squared(weight);
    sums.vega_linear += volatility * weight;
    schedule.covariance[i] = covariance;
    before = schedule.clock[i];
    volatility_before = schedule.volatility[i];
  }
  return sums;
}

// What is exercised: ln G, or ln S_T - ln G.
struct Exercise {
  double variance;  // [years of the clock]
  double vega;  // integrals of the volatility, weighted by what the variable has of an increment
  double vega_end;  // and ln G, or ln S_T
};

// Below this share of the variance of ln S_T that of ln S_T - ln G, as a difference of variances,
// is rounding to such a part that closed forms are off by more than they say (1e-11).
constexpr double difference_min = 1e-12;
// Of a variance that is smaller still nothing shows in a price, which it must not divide by 0.
constexpr double variance_min = 1e-32;

// Their covariances with ln S_i, over sigma^2, go into the schedule's directions.
Exercise exercise_of(Contract const& contract, SumMoments const& sums, ContractLaw const& law,
                     Schedule& schedule) {
  bool const on_price = contract.payoff == Payoff::average_price;
  for (std::size_t i = 0; i < schedule.time.size(); ++i) {
    schedule.direction[i] =
        on_price ? schedule.covariance[i] : schedule.clock[i] - schedule.covariance[i];
  }
  double const end = schedule.covariance.empty() ? 0 : schedule.covariance.back();
  return {on_price ? sums.variance : clock_to(contract, contract.expiry) + sums.variance - 2 * end,
          sums.vega_linear - sums.vega, law.common.volatility_time - sums.vega_linear};
}

// The same of ln S_T - ln G where prices are averaged so late that little is left between the two:
// nothing is taken off a sum that is much larger.
Exercise late_exercise(Contract const& contract, Schedule& schedule) {
  double covariance = 0;
  double time = 0;
  double clock = 0;
  Exercise exercise{};
  for (std::size_t i = 0; i < schedule.time.size(); ++i) {
    double const dt = schedule.clock[i] - clock;
    double const volatility = volatility_between(contract, time, schedule.time[i]);
    double const weight = schedule.tail_weight[i];
    double const difference = 1 - weight;  // what S_T has of the increment, and G has not
    covariance += dt * difference;
    exercise.variance += dt * squared(difference);
    exercise.vega += volatility * weight * difference;
    exercise.vega_end += volatility * difference;
    schedule.direction[i] = covariance;
    time = schedule.time[i];
    clock = schedule.clock[i];
  }
  return exercise;
}

// a_i, the covariance of ln S_i with the standardised exercise variable, and that variable's
// deviation.
void point(Contract const& contract, SumMoments const& sums, Schedule& schedule, ContractLaw& law) {
  double const sigma2 = squared(contract.volatility);
  double const end = clock_to(contract, contract.expiry);
  Exercise exercise = exercise_of(contract, sums, law, schedule);
  if (contract.payoff == Payoff::average_strike && exercise.variance < difference_min * end) {
    exercise = late_exercise(contract, schedule);
    exercise.variance = std::max(exercise.variance, variance_min * end);
  }
  double const deviation = std::sqrt(sigma2 * exercise.variance);
  double const scale = deviation > 0 ? sigma2 / deviation : 0;
  for (double& direction : schedule.direction) direction *= scale;
  law.log.deviation = deviation;
  double const unit = deviation > 0 ? 1 / deviation : 0;
  // Over the steps, integral of the volatility times what both variables have of the increment.
  law.vega = {sums.vega, unit * exercise.vega, unit * exercise.vega_end};
}

void fill_arithmetic(Contract const& contract, ContractLaw& law, Schedule const& schedule) {
  ArithmeticTerms& terms = law.arithmetic;
  double const k = contract.multiplier;
  bool const on_price = contract.payoff == Payoff::average_price;
  terms.level = payoff_level(contract);
  // Gamma is this times a density at the boundary of exercise, by homogeneity in spot and level; a
  // fixing now is part of the level an instant later (docs/explanation/greeks.md).
  terms.gamma_scale = on_price ? squared(terms.level) : squared(k * terms.level);
  terms.gamma_scale_pde = on_price ? squared(terms.level - terms.constant)
                                   : squared(k * (terms.level + terms.constant));
  terms.terminal_scale = 1;
  terms.direction_end = on_price || schedule.direction.empty() ? 0 : schedule.direction.back();
}

// The control of an arithmetic payoff: like it, but for the shape of the average.
void fill_control(Contract const& contract, ContractLaw& law, double total) {
  LogTerms& log = law.log;
  bool const on_price = contract.payoff == Payoff::average_price;
  log.strike = on_price ? law.arithmetic.level : 0;
  // ln E[A] - sigma^2 / 2 sum of p_i t_i (docs/explanation/estimators.md).
  log.level = simd::portable_log(total) - law.log_convexity;
  log.share = on_price ? 1 : law.forward.average / total;
  log.share_pde = on_price ? 1 : (law.forward.average - law.arithmetic.constant) / total;
  log.shift_pde = on_price ? law.arithmetic.constant : 0;
  log.gamma_linear = 0;
  log.gamma_linear_pde = 0;
  log.gamma_scale = law.arithmetic.gamma_scale;
  log.gamma_scale_pde = law.arithmetic.gamma_scale_pde;
  // Of δ(S_T - k A) = δ(X) / S_T; for a geometric average the squared slope, which goes with S_T^2,
  // makes it S_T.
  log.boundary_power = -1;
}

// Of the fixings; `time`: their weighted mean time.
double mean_log_growth(Contract const& contract, Schedule const& schedule, double time) {
  // It is linear in time: that of the mean time will do.
  if (has_constant_growth(contract) && has_constant_volatility(contract)) {
    return log_growth_to(contract, time);
  }
  double growth = 0;
  for (std::size_t i = 0; i < schedule.time.size(); ++i) {
    growth += schedule.log_weight[i] * log_growth_to(contract, schedule.time[i]);
  }
  return growth;
}

// A geometric payoff. Its average is proportional to spot^share, where share is the weight of the
// future fixings.
void fill_geometric(Contract const& contract, Schedule const& schedule, ContractLaw& law) {
  LogTerms& log = law.log;
  bool const on_price = contract.payoff == Payoff::average_price;
  double const simulated = log.share;
  double const share = static_cast<double>(contract.fixings) / fixings_total(contract);
  double const strike = on_price ? contract.strike / contract.spot : 0;
  double const past = contract.past_log_sum / fixings_total(contract);
  log.strike = strike;
  // G is in units of the spot, of which its future fixings have only their share.
  log.level = past + (share - 1) * simd::portable_log(contract.spot) +
              mean_log_growth(contract, schedule, log.time);
  log.share = share;
  log.share_pde = simulated;
  log.shift_pde = 0;
  // G goes with spot^share: its own second derivative, and below the squared slope of what is
  // exercised, at its boundary.
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
  law.common = {.side = contract.side,
                .volatility = contract.volatility,
                .volatility_now = volatility_now(contract),
                .volatility_time = volatility_to(contract, contract.expiry),
                .rate = rate_now(contract),
                .drift = drift_now(contract) * spot_share(contract),
                .expiry = contract.expiry,
                .payment = payment_time(contract),
                .rho_drift = contract.drift_given || contract.forward_curve != nullptr ? 0.0 : 1.0,
                .multiplier = contract.multiplier,
                .has_own_theta = false,
                .has_own_delta = false};
  law.discount = simd::portable_exp(-interest(contract));
  law.past_share = arithmetic ? contract.past_sum / total_fixings / contract.spot : 0;
  law.arithmetic.constant = share_now(contract);
  law.forward = make_forward(contract, schedule, law.arithmetic.constant);
  law.terminal_level = log_growth_to(contract, contract.expiry);
  law.terminal_variance = variance_to(contract, contract.expiry);
  double const total =
      law.forward.average + (contract.payoff == Payoff::average_strike ? law.past_share : 0);
  weigh_logs(contract, total, schedule, law);
  SumMoments const sums = correlate(schedule);
  law.log_variance = squared(contract.volatility) * sums.variance;
  point(contract, sums, schedule, law);
  fill_arithmetic(contract, law, schedule);
  if (arithmetic) {
    fill_control(contract, law, total);
  } else {
    fill_geometric(contract, schedule, law);
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
  out[rho] = common.rho_drift * drift - common.payment * out[price];
  out[theta] = common.rate * out[price] - common.drift * delta_pde - law.forward.growth_now;
  return out;
}

double cheaper_side(ContractLaw const& law, Payoff payoff) {
  constexpr double log_variance_wide = 1;
  bool const wide = payoff == Payoff::average_price && law.log_variance > log_variance_wide;
  return wide || forward_outputs(law, payoff)[price] > 0 ? -1 : 1;
}

}  // namespace makespan::asian
