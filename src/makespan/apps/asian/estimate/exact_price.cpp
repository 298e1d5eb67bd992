// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/estimate/exact_price.hpp"

#include <cmath>
#include <limits>

#include "makespan/apps/asian/contract/basket_law.hpp"
#include "makespan/apps/asian/contract/term_structure.hpp"
#include "makespan/apps/asian/estimate/heston_control.hpp"
#include "makespan/apps/asian/estimate/log_payoff.hpp"
#include "makespan/simd/portable_math.hpp"

namespace makespan::asian {

namespace {

// Why a contract has an exact price; `none` if it has to be simulated.
enum class Reason {
  none,
  no_randomness,
  certain_exercise,
  one_average_price,
  end_price_only,
  geometric,
  one_strike_fixing
};

std::int64_t random_fixings(Contract const& contract) {
  return contract.fixings - (fixes_now(contract) ? 1 : 0);
}

// Whether the average has a part that does not move with the spot.
bool has_past(Contract const& contract) {
  // A sum without a count: cash dividends that are still to come (contract_reader.cpp).
  return contract.past_count > 0 || contract.past_sum > 0;
}

// Whether the price cannot move while it counts: no volatility or no time, to the last digit of a
// double.
bool stands_still(Contract const& contract) {
  return variance_to(contract, horizon(contract)) < 1e-30;
}

// What S_T counts for in S_T - k · average once a fixing at expiry is taken together with it.
double end_weight(Contract const& contract) {
  bool const fixes_at_end = random_fixings(contract) == 1 &&
                            fixing_time(contract, contract.fixings - 1) == contract.expiry;
  return fixes_at_end ? 1 - contract.multiplier / fixings_total(contract) : 1;
}

Reason reason_on_price(Contract const& contract) {
  if (random_fixings(contract) == 0 || stands_still(contract)) return Reason::no_randomness;
  // Before the next, whose level and constant are those of an arithmetic average.
  if (contract.average == Average::geometric) return Reason::geometric;
  if (payoff_level(contract) - share_now(contract) <= 0) return Reason::certain_exercise;
  return random_fixings(contract) == 1 ? Reason::one_average_price : Reason::none;
}

Reason reason_on_strike(Contract const& contract) {
  std::int64_t const random = random_fixings(contract);
  if (stands_still(contract)) return Reason::no_randomness;
  if (random == 0) return Reason::end_price_only;
  bool const fixes_at_end =
      random == 1 && fixing_time(contract, contract.fixings - 1) == contract.expiry;
  bool const only_the_end = contract.fixings == 1 && !has_past(contract) && fixes_at_end;
  if (only_the_end) return Reason::no_randomness;  // S_T - k S_T never changes sign
  if (contract.average == Average::geometric) return Reason::geometric;
  // S_T counts 1 - k / n against what is known: unless that is positive, the payoff never is.
  if (fixes_at_end)
    return end_weight(contract) > 0 ? Reason::end_price_only : Reason::certain_exercise;
  return contract.fixings == 1 && !has_past(contract) ? Reason::one_strike_fixing : Reason::none;
}

// Whether Heston's variance leaves it a closed form.
bool is_for_heston(Reason reason) {
  return reason == Reason::no_randomness || reason == Reason::certain_exercise ||
         reason == Reason::geometric;
}

Reason reason(Contract const& contract, Method method) {
  if (contract.basket != nullptr) {
    return basket_is_certain(contract) ? Reason::certain_exercise : Reason::none;
  }
  Reason const found = contract.payoff == Payoff::average_price ? reason_on_price(contract)
                                                                : reason_on_strike(contract);
  if (contract.heston.is_given() && !is_for_heston(found)) return Reason::none;
  return found == Reason::geometric && method == Method::mc_plain ? Reason::none : found;
}

Outputs scaled(Outputs values, double factor) {
  for (double& value : values) value *= factor;
  return values;
}

// The payoff is its forward, or nothing.
Outputs linear_outputs(ContractLaw const& law, Payoff payoff) {
  Outputs const forward = forward_outputs(law, payoff);
  return law.common.side * forward[price] > 0 ? scaled(forward, law.common.side) : Outputs{};
}

// A geometric payoff without randomness: G is its own forward.
Outputs linear_geometric_outputs(ContractLaw const& law, Payoff payoff) {
  CommonTerms const& common = law.common;
  LogTerms const& log = law.log;
  double const side = common.side;
  // E[G]. Where G is S_T itself, fixed at the payment, its logarithm is above the level, E[ln G].
  double const g = simd::portable_exp(log.level + law.log_convexity);
  bool const on_price = payoff == Payoff::average_price;
  double const value = on_price ? g - log.strike : law.forward.terminal - common.multiplier * g;
  Outputs out{};
  if (side * value <= 0) return out;
  double const end = on_price ? 0 : law.forward.terminal;
  double const kg = on_price ? -g : common.multiplier * g;
  double const drift = common.expiry * end - log.time * kg;
  double const delta_pde = end - log.share_pde * kg;
  out[price] = side * value;
  out[delta] = side * (end - log.share * kg);
  out[gamma] = -side * log.gamma_linear * kg;
  out[dividend_rho] = -side * drift;
  out[rho] = side * common.rho_drift * drift - common.payment * out[price];
  out[theta] =
      common.rate * out[price] - side * common.drift * delta_pde +
      0.5 * side * common.volatility_now * common.volatility_now * log.gamma_linear_pde * kg;
  return out;
}

// A single lognormal price: of the spot's weight and at a time, against a strike.
struct OnePrice {
  double weight;
  double time;
  double strike;
};
Outputs one_price(Contract const& contract, ContractLaw law, OnePrice const& it,
                  IndicatorTerms const& indicator) {
  double const variance = variance_to(contract, it.time);
  law.log.strike = it.strike;
  law.log.level = simd::portable_log(it.weight) + growth_to(contract, it.time) - 0.5 * variance;
  law.log.deviation = std::sqrt(variance);
  law.log_variance = variance;
  law.log.time = it.time;
  law.log.volatility_time = volatility_to(contract, it.time);
  law.vega.logs = law.log.volatility_time;
  law.log.share = 1;
  law.log.share_pde = 1;
  law.log.shift_pde = 0;
  law.log.gamma_linear = 0;
  law.log.gamma_linear_pde = 0;
  // As for any average (contract_law.cpp); the density is that of this one price.
  law.log.gamma_scale = law.arithmetic.gamma_scale;
  law.log.gamma_scale_pde = law.arithmetic.gamma_scale_pde;
  return single_price_outputs(law, indicator);
}

// S_T against an average that is known but for a fixing at expiry: k (level + constant), or k G
// with G proportional to spot^share.
Outputs end_price(Contract const& contract, ContractLaw law) {
  double const k = contract.multiplier;
  if (contract.average == Average::arithmetic) {
    double const constant = law.arithmetic.constant;
    double const level = k * (law.arithmetic.level + constant);
    return one_price(contract, law, {end_weight(contract), contract.expiry, level},
                     {-k * constant, 0});
  }
  double const kg = k * simd::portable_exp(law.log.level);
  double const share = law.log.share;
  // The squared slope of S_T - k G at its boundary, where S_T is k G.
  law.arithmetic.gamma_scale = kg * (1 - share) * kg * (1 - share);
  law.arithmetic.gamma_scale_pde =
      kg * kg;  // once the fixing at time 0 is past, G does not depend on the spot
  return one_price(contract, law, {1, contract.expiry, kg},
                   {-kg * share, -kg * law.log.gamma_linear});
}

// Without gamma.
ExactOutputs geometric_under_heston(Contract const& contract, ContractLaw const& law,
                                    Schedule const& schedule) {
  HestonControl const control = heston_control(contract, law, schedule);
  ExactOutputs out{.value = heston_outputs(control, law, contract.payoff),
                   .error = heston_errors(control, law)};
  out.value[gamma] = std::numeric_limits<double>::quiet_NaN();
  return out;
}

Outputs lognormal_outputs(Reason reason, Contract const& contract, ContractLaw const& law,
                          Schedule const& schedule) {
  double const constant = law.arithmetic.constant;
  switch (reason) {
    case Reason::no_randomness:
      return contract.average == Average::geometric ? linear_geometric_outputs(law, contract.payoff)
                                                    : linear_outputs(law, contract.payoff);
    case Reason::certain_exercise:
      return linear_outputs(law, simulated_payoff(contract));
    case Reason::one_average_price:
      return one_price(contract, law,
                       {schedule.weight[0], schedule.time[0], law.arithmetic.level - constant},
                       {constant, 0});
    case Reason::end_price_only:
      return end_price(contract, law);
    case Reason::none:
    case Reason::geometric:
    case Reason::one_strike_fixing:
      break;
  }
  return log_outputs(law, contract.payoff);
}

}  // namespace

bool has_exact_price(Contract const& contract, Method method) {
  return reason(contract, method) != Reason::none;
}

std::optional<ExactOutputs> exact_outputs(Contract const& contract, Method method,
                                          ContractLaw const& law, Schedule const& schedule) {
  Reason const found = reason(contract, method);
  if (found == Reason::none) return std::nullopt;
  if (found == Reason::geometric && contract.heston.is_given()) {
    return geometric_under_heston(contract, law, schedule);
  }
  return ExactOutputs{.value = lognormal_outputs(found, contract, law, schedule)};
}

}  // namespace makespan::asian
