// SPDX-License-Identifier: Apache-2.0
// An arithmetic option as a call on a weighted sum of lognormal prices: the law of the sum, which
// many options of a book share, and where the option stands on it.
#pragma once

#include <compare>

#include "makespan/apps/asian/contract/contract.hpp"
#include "makespan/apps/asian/contract/contract_law.hpp"
#include "makespan/apps/asian/recursion/detail/sum_law.hpp"
#include "makespan/apps/asian/recursion/solver.hpp"

namespace makespan::asian::recursion {

// An average price is a call on the sum of its future fixings, each of weight 1 / their number,
// whatever is past. For an average strike prices are counted in units of S_T, backwards from
// expiry: S_T / S_T, S_(T-1) / S_T, … are lognormal with the opposite drift (V. Henderson and R.
// Wojakowski, J. Appl. Prob. 39 (2002) 391-394), and the option is a put on their sum, whose last
// price, S_0 / S_T, weighs what the past has fixed.
//
// Arithmetic averages of at least one random fixing that have no closed form
// (estimate/exact_price.hpp).
void fill_law(Contract const& contract, SumLaw& law);

// An order of contracts in which those of one law are neighbours, and are equal.
[[nodiscard]] std::weak_ordering compare_laws(Contract const& a, Contract const& b);

// Derivatives that the option's Greeks need.
[[nodiscard]] Derivatives derivatives_of(Contract const& contract, bool greeks);

// Price and Greeks in units of the spot and undiscounted, and how far they may be off.
struct ReducedPrice {
  Outputs value;
  Outputs bound;
};

// From a solver that has solved the option's law. `law` is the contract's own (make_law); without
// `greeks` only the price counts.
[[nodiscard]] ReducedPrice price_of(Contract const& contract, ContractLaw const& law,
                                    Solver const& solver);

}  // namespace makespan::asian::recursion
