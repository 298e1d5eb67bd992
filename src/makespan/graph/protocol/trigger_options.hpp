// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is asked of when objects move.

#include <cstdint>

namespace makespan::graph {

enum class BalanceWhen : std::uint8_t {
  never,
  periodic,   // after every so many phases: what the balancer says is done
  automatic,  // when it is worth it: balance_trigger.hpp
};

struct TriggerOptions {
  BalanceWhen when{BalanceWhen::automatic};
  std::int64_t every{1};      // periodic: phases from look to look, at least 1
  std::int64_t phases{0};     // of the whole run; 0: not known
  double look_first_s{1e-3};  // what the first look is expected to cost [s]
  double waste_max{0.02};     // of the time of all phases, above 0
  double slowdown_max{0.05};  // by how much a mapping may be worse than the one before, and be
                              // tried for three phases
};

// Throws InputError that names an option which cannot be. Tested by
// tests/graph/protocol/trigger_options_test.cpp.
void check(TriggerOptions const& options);

}  // namespace makespan::graph
