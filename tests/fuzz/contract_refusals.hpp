// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "fuzz/fuzz_target.hpp"
#include "makespan/base/contracts.hpp"

namespace makespan::fuzz {

// Calls a part of the runtime whose callers check before they call it: there a broken contract is
// how it refuses. Anything behind the contract, an index that is used after all, is still found.
template <class Function>
void with_contracts_as_refusals(Function&& function) {
  ContractHandler const before = set_contract_handler(throw_on_violation);
  try {
    std::forward<Function>(function)();
  } catch (ContractViolated const&) {
    expect_no_seed();
  }
  set_contract_handler(before);
}

}  // namespace makespan::fuzz
