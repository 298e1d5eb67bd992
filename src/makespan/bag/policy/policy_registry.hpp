// SPDX-License-Identifier: Apache-2.0
#pragma once

// Every chunk policy by name. Adding one: header, source, test, one line in policy_registry.cpp,
// one row in docs/reference/policies.md.

#include <memory>
#include <span>
#include <string_view>

#include "makespan/bag/policy/chunk_policy.hpp"

namespace makespan::bag {

// What a chunk depends on, and with it who can cut it.
enum class PolicyForm {
  closed,      // the number of the claim: make() gives a ClosedFormPolicy (closed_form_policy.hpp)
  memoryless,  // what is left, and the worker: a MemorylessPolicy (memoryless_policy.hpp)
  history,     // also the claims and finishes before it: one object must see them all
};

// What the registry knows of one policy. The texts live as long as the program.
struct PolicyEntry {
  std::string_view name;
  std::string_view summary;
  std::span<OptionHelp const> options;
  PolicyForm form;
  std::unique_ptr<ChunkPolicy> (*make)(OptionValues const& given);
};

// All policies, the default first, the others by name.
[[nodiscard]] std::span<PolicyEntry const> policies();

// The entry of that name. Throws InputError, which names the nearest.
[[nodiscard]] PolicyEntry const& policy_entry(std::string_view name);

// A policy ready for its first loop. Throws InputError on an unknown name or option and on a value
// out of range.
[[nodiscard]] std::unique_ptr<ChunkPolicy> make_policy(std::string_view name,
                                                       OptionValues const& given);

}  // namespace makespan::bag
