// SPDX-License-Identifier: Apache-2.0
// By how much each output jumps where exercise begins.
#pragma once

#include "makespan/apps/asian/contract/contract_law.hpp"

namespace makespan::asian {

// The outputs of the lognormal payoff on its likeliest path at the exercise boundary, just inside;
// the price's is 0.
//
// A Greek and its control differ most on paths that one of them exercises and the other does not.
// They are few, and a sample that holds none of them shows no error at all; with the size of the
// jump estimate.cpp can say how large it may yet be.
Outputs exercise_jump(ContractLaw const& law, Payoff payoff);

}  // namespace makespan::asian
