// SPDX-License-Identifier: Apache-2.0
// When objects are balanced, by the name that Python gives.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "makespan/base/unknown_name.hpp"
#include "makespan/graph/protocol/trigger_options.hpp"

namespace bindings {

inline makespan::graph::BalanceWhen balance_when(std::string const& name) {
  if (name == "never") return makespan::graph::BalanceWhen::never;
  if (name == "periodic") return makespan::graph::BalanceWhen::periodic;
  if (name == "auto") return makespan::graph::BalanceWhen::automatic;
  throw makespan::unknown_name("time to balance", name,
                               std::vector<std::string_view>{"auto", "never", "periodic"});
}

}  // namespace bindings
