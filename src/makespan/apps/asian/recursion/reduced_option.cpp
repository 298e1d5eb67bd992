// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/recursion/reduced_option.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "makespan/apps/asian/contract/term_structure.hpp"
#include "makespan/simd/portable_math.hpp"

namespace makespan::asian::recursion {

namespace {

bool is_average_price(Contract const& contract) {
  return contract.payoff == Payoff::average_price;
}

std::int64_t first_random(Contract const& contract) {
  return fixes_now(contract) ? 1 : 0;
}

// A fixing at the payment of an average strike is no random part of the average in units of S_T.
bool fixes_at_payment(Contract const& contract) {
  return !is_average_price(contract) && contract.fixings > 0 &&
         fixing_time(contract, contract.fixings - 1) == contract.expiry;
}

std::int64_t end_of_random(Contract const& contract) {
  return contract.fixings - (fixes_at_payment(contract) ? 1 : 0);
}

double random_fixings(Contract const& contract) {
  return static_cast<double>(end_of_random(contract) - first_random(contract));
}

// Fixings of the average for each random one: from weights in the law to weights in the average.
double fixings_ratio(Contract const& contract) {
  return fixings_total(contract) / random_fixings(contract);
}

// Of S_0 / S_T in the law of an average strike.
double last_weight(Contract const& contract) {
  if (is_average_price(contract)) return 0;
  // What past fixings and one now make of the average is fixed in units of S_0.
  return (payoff_level(contract) + share_now(contract)) * fixings_ratio(contract);
}

// By fixing, in the order of the law's steps: its time [years]. The law of an average strike runs
// backwards from expiry.
double law_time(Contract const& contract, std::int64_t step) {
  return fixing_time(contract, is_average_price(contract) ? first_random(contract) + step
                                                          : end_of_random(contract) - 1 - step);
}

// Equally spaced fixings at the same times: without looking at each.
bool has_same_grid(Contract const& a, Contract const& b) {
  return a.times.empty() && b.times.empty() && a.fixings == b.fixings &&
         a.first_fixing == b.first_fixing && a.last_fixing == b.last_fixing;
}

// Those that growth and variance depend on; of one book, whose curves lie in one array.
std::weak_ordering by_curves(Contract const& a, Contract const& b) {
  auto const growth_rate = [](Contract const& contract) {
    return contract.drift_given ? nullptr : contract.rate_curve;
  };
  std::array const of_a{growth_rate(a), a.yield_curve, a.forward_curve, a.volatility_curve,
                        a.dividends};
  std::array const of_b{growth_rate(b), b.yield_curve, b.forward_curve, b.volatility_curve,
                        b.dividends};
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    auto const order = std::compare_three_way{}(of_a[i], of_b[i]);
    if (order != 0) return order;
  }
  return std::weak_ordering::equivalent;
}

// Where an option stands on its law, and how the call's value becomes the option's.
struct Position {
  double strike;    // of the call
  double scale;     // of the value, in units of the spot
  double spot;      // -d(strike)/d(ln spot), or -d(last weight)/d(ln spot)
  double spot_pde;  // the same once a fixing now is past
};

Position position_of(Contract const& contract, ContractLaw const& law) {
  double const ratio = fixings_ratio(contract);
  double const level = law.arithmetic.level;
  double const constant = law.arithmetic.constant;
  // A - level = (sum - strike) / ratio, with what a fixing now makes of A in the strike.
  if (is_average_price(contract)) {
    return {(level - constant) * ratio, 1 / ratio, level * ratio, (level - constant) * ratio};
  }
  double const k = contract.multiplier;
  // S_T (1 - at_payment) - k (the rest) = S_T k / ratio · (strike - sum).
  double const at_payment = fixes_at_payment(contract) ? k / fixings_total(contract) : 0;
  return {(1 - at_payment) * ratio / k, law.forward.terminal * k / ratio, level * ratio,
          (level + constant) * ratio};
}

// Rho, theta and dividend_rho from the others; as estimate/log_payoff.cpp has them.
struct Derived {
  double drift;
  double delta_pde;
  double gamma_pde;
};
void fill_derived(CommonTerms const& common, Derived const& terms, Outputs& out) {
  out[dividend_rho] = -terms.drift;
  out[rho] = common.rho_drift * terms.drift - common.payment * out[price];
  out[theta] = common.rate * out[price] - common.drift * terms.delta_pde -
               0.5 * common.volatility_now * common.volatility_now * terms.gamma_pde;
}
void bound_derived(CommonTerms const& common, Derived const& terms, Outputs& bound) {
  bound[dividend_rho] = terms.drift;
  bound[rho] = common.rho_drift * terms.drift + common.payment * bound[price];
  bound[theta] = std::fabs(common.rate) * bound[price] + std::fabs(common.drift) * terms.delta_pde +
                 0.5 * common.volatility_now * common.volatility_now * terms.gamma_pde;
}

// The call of an average price: scale · u(x), x = position.strike.
ReducedPrice average_price(ContractLaw const& law, Position const& at, Solver const& solver) {
  Quantities const u = solver.at(at.strike);
  Quantities const& error = solver.bounds();
  double const scale = at.scale;
  double const by_spot = at.strike > 0 ? at.spot / at.strike : 0;  // d ln(strike)
  ReducedPrice result{};
  Outputs& out = result.value;
  Outputs& bound = result.bound;
  out[price] = scale * u[call_value];
  out[delta] = scale * (u[call_value] - by_spot * u[slope]);
  // The strike is c / spot less a constant, so that the first derivative to it cancels.
  out[gamma] = scale * by_spot * by_spot * u[curvature];
  out[vega] = scale * u[by_volatility];
  fill_derived(law.common,
               {scale * u[by_drift], scale * (u[call_value] - u[slope]), scale * u[curvature]},
               out);
  bound[price] = scale * error[call_value];
  bound[delta] = scale * (error[call_value] + std::fabs(by_spot) * error[slope]);
  bound[gamma] = scale * by_spot * by_spot * error[curvature];
  bound[vega] = scale * error[by_volatility];
  bound_derived(law.common,
                {scale * error[by_drift], scale * (error[call_value] + error[slope]),
                 scale * error[curvature]},
                bound);
  return result;
}

// The put of an average strike: scale · C, C a call on a sum whose last weight falls with the spot.
ReducedPrice average_strike(ContractLaw const& law, Position const& at, Solver const& solver) {
  Quantities const u = solver.at(at.strike);
  Quantities const& error = solver.bounds();
  double const scale = at.scale;
  double const expiry = law.common.expiry;
  ReducedPrice result{};
  Outputs& out = result.value;
  Outputs& bound = result.bound;
  out[price] = scale * u[call_value];
  out[delta] = scale * (u[call_value] - at.spot * u[by_last_weight]);
  out[gamma] = scale * at.spot * at.spot * u[by_last_weight_twice];
  out[vega] = scale * u[by_volatility];
  fill_derived(law.common,
               {scale * (expiry * u[call_value] - u[by_drift]),
                scale * (u[call_value] - at.spot_pde * u[by_last_weight]),
                scale * at.spot_pde * at.spot_pde * u[by_last_weight_twice]},
               out);
  bound[price] = scale * error[call_value];
  bound[delta] = scale * (error[call_value] + at.spot * error[by_last_weight]);
  bound[gamma] = scale * at.spot * at.spot * error[by_last_weight_twice];
  bound[vega] = scale * error[by_volatility];
  bound_derived(law.common,
                {scale * (expiry * error[call_value] + error[by_drift]),
                 scale * (error[call_value] + at.spot_pde * error[by_last_weight]),
                 scale * at.spot_pde * at.spot_pde * error[by_last_weight_twice]},
                bound);
  return result;
}

}  // namespace

void fill_law(Contract const& contract, SumLaw& law) {
  law.clear();
  auto const count = end_of_random(contract) - first_random(contract);
  double const weight = 1 / static_cast<double>(count);
  bool const on_price = is_average_price(contract);
  double before = on_price ? 0 : contract.expiry;
  auto const add = [&](double time, double of_price) {
    double const from = std::min(before, time);
    double const to = std::max(before, time);
    double const growth = growth_between(contract, from, to);
    law.add(on_price ? growth : -growth, variance_between(contract, from, to), of_price,
            volatility_between(contract, from, to), to - from);
    before = time;
  };
  for (std::int64_t step = 0; step < count; ++step) add(law_time(contract, step), weight);
  double const last = last_weight(contract);
  if (last > 0) add(0, last);
}

std::weak_ordering compare_laws(Contract const& a, Contract const& b) {
  auto const by = [](auto const& x, auto const& y) {
    return x < y   ? std::weak_ordering::less
           : y < x ? std::weak_ordering::greater
                   : std::weak_ordering::equivalent;
  };
  auto const count_a = end_of_random(a) - first_random(a);
  auto const count_b = end_of_random(b) - first_random(b);
  std::weak_ordering order = by(a.payoff, b.payoff);
  if (order == 0) order = by(a.drift, b.drift);
  if (order == 0) order = by(a.volatility, b.volatility);
  if (order == 0) order = by_curves(a, b);
  if (order == 0) order = by(count_a, count_b);
  if (order == 0) order = by(last_weight(a), last_weight(b));
  if (order == 0 && !is_average_price(a)) order = by(a.expiry, b.expiry);
  if (order == 0 && has_same_grid(a, b)) return order;
  // Last, since it takes as long as there are fixings.
  for (std::int64_t step = 0; order == 0 && step < count_a; ++step)
    order = by(law_time(a, step), law_time(b, step));
  return order;
}

Derivatives derivatives_of(Contract const& contract, bool greeks) {
  if (!greeks) return Derivatives::none;
  return last_weight(contract) > 0 ? Derivatives::last_weight_too
                                   : Derivatives::volatility_and_drift;
}

ReducedPrice price_of(Contract const& contract, ContractLaw const& law, Solver const& solver) {
  Position const at = position_of(contract, law);
  bool const on_price = is_average_price(contract);
  ReducedPrice result = on_price ? average_price(law, at, solver) : average_strike(law, at, solver);
  // Of the other side by parity: a call is a put and the forward.
  double const over = 0.5 * (contract.side - (on_price ? 1 : -1));
  Outputs const forward = forward_outputs(law, contract.payoff);
  for (std::size_t k = 0; k < output_count; ++k) {
    result.value[k] += over * forward[k];
    result.bound[k] += std::fabs(over * forward[k]) * 1e-15;
  }
  return result;
}

}  // namespace makespan::asian::recursion
