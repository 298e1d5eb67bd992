// SPDX-License-Identifier: Apache-2.0
// A payoff on the average of a basket as one on a weighted sum of prices, of several underlyings at
// several times, and what follows of it without simulation.
#pragma once

#include <cstdint>
#include <vector>

#include "makespan/apps/asian/contract/contract_law.hpp"
#include "makespan/apps/asian/contract/detail/basket.hpp"
#include "makespan/apps/asian/kernel/basket_plan.hpp"

namespace makespan::asian {

// Steps end at fixings after time 0, at expiry for an average strike, where a volatility changes,
// and, if one is local, after Contract::step_max. Reused from row to row.
struct BasketSchedule {
  std::vector<BasketStep> steps;
  std::vector<BasketTerm> terms;  // (steps, underlyings)
  std::vector<BasketDrift> drifts;
  std::vector<SliceGrid> grids;  // (underlyings), or none if no volatility is local
  std::vector<double> slices;    // (steps, local volatilities, cells, terms)
};

// G - H of a control: lognormals for the prices with a positive weight and for those with a
// negative one.
struct LognormalPair {
  double level;  // of ln G
  double deviation;
  double level_short;  // of ln H
  double deviation_short;
  double covariance;  // of the two logarithms
};

// The payoff is side (L - level)^+ with L the sum, also for an average strike, whose average has
// negative weights in it.
struct BasketLaw {
  ContractLaw law;  // of side (L - level)^+ as an average price
  LognormalPair pair;
  ShortTerms short_part;
  // Whether the density of L can be had along its direction: no price falls in it. Not with local
  // volatilities, under which prices do not change in proportion.
  bool has_gamma;
  SmoothTerms smooth;  // not there without that density, or where its series would be too long
};

// Of local volatilities the control has those of a price that stays at its forward.
//
// Each lognormal has the weights of contract_law.hpp among its prices. Takes O(steps ·
// underlyings^2).
[[nodiscard]] BasketLaw make_basket_law(Contract const& contract, BasketSchedule& schedule);

// Whether no prices, however they move, change that the payoff is exercised, or that it is not.
[[nodiscard]] bool basket_is_certain(Contract const& contract);

[[nodiscard]] std::int64_t basket_step_count(Contract const& contract);

}  // namespace makespan::asian
