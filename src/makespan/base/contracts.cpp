// SPDX-License-Identifier: Apache-2.0
#include "makespan/base/contracts.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace makespan {
namespace {

// Contracts may break in any thread while another one sets it.
std::atomic<ContractHandler> handler_in_place{abort_on_violation};

}  // namespace

std::string describe(ContractViolation const& violation) {
  std::string text{violation.file};
  text += ':';
  text += std::to_string(violation.line);
  text += ": ";
  text += violation.kind;
  text += '(';
  text += violation.condition;
  text += ") does not hold";
  return text;
}

void abort_on_violation(ContractViolation const& violation) {
  std::fprintf(stderr, "%s\n", describe(violation).c_str());
  std::abort();
}

void throw_on_violation(ContractViolation const& violation) {
  throw ContractViolated(describe(violation));
}

ContractHandler set_contract_handler(ContractHandler handler) {
  return handler_in_place.exchange(handler);
}

void contract_violated(ContractViolation const& violation) {
  handler_in_place.load()(violation);
  std::abort();
}

}  // namespace makespan
