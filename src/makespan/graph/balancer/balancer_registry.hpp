// SPDX-License-Identifier: Apache-2.0
#pragma once

// Every balancer by name. How to add one: docs/reference/balancers.md.

#include <memory>
#include <span>
#include <string_view>

#include "makespan/graph/balancer/balancer.hpp"

namespace makespan::graph {

// The texts live as long as the program.
struct BalancerEntry {
  std::string_view name;
  std::string_view summary;
  std::span<OptionHelp const> options;
  std::unique_ptr<Balancer> (*make)(OptionValues const& given);
  bool is_built;  // where it is not, make() throws NotConfigured
};

// All balancers, the default first, the others by name.
[[nodiscard]] std::span<BalancerEntry const> balancers();

// The entry of that name. Throws InputError, which names the nearest.
[[nodiscard]] BalancerEntry const& balancer_entry(std::string_view name);

// Throws InputError on an unknown name or option and on a value out of range, NotConfigured where
// it is not built.
[[nodiscard]] std::unique_ptr<Balancer> make_balancer(std::string_view name,
                                                      OptionValues const& given);

}  // namespace makespan::graph
