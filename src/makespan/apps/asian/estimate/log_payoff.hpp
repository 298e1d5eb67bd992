// SPDX-License-Identifier: Apache-2.0
// Exact means of everything that payoff-inl.hpp computes on the lognormal G: prices and Greeks of
// geometric options, and the known means of the controls.
#pragma once

#include "makespan/apps/asian/contract/contract_law.hpp"

namespace makespan::asian {

// Means of LogPrice's or LogStrike's outputs for the side in `law.common`. Needs law.log.deviation
// > 0.
//
// All follow from one lemma: for jointly normal L, X and h,
//   E[e^L 1{X > 0} h] = e^(E L + var L / 2) (E' h · Phi(m / s) + cov(h, X) / s · phi(m / s)),
// E' h = E h + cov(h, L), m = E X + cov(L, X), s the deviation of X. For average prices this is the
// formula of A. Kemna and A. Vorst (1990) with discrete fixings, for average strikes W. Margrabe's,
// J. Finance 33 (1978) 177-186.
Outputs log_outputs(ContractLaw const& law, Payoff payoff);

// What a payoff's delta and gamma have besides a multiple of G: constants that go with the exercise
// indicator.
struct IndicatorTerms {
  double delta = 0;
  double gamma = 0;
};

// The same for a single lognormal price: side (e^(level + deviation z) - log.strike)^+.
Outputs single_price_outputs(ContractLaw const& law, IndicatorTerms const& indicator);

}  // namespace makespan::asian
