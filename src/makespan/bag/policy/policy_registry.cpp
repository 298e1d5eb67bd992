// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/policy/policy_registry.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "makespan/bag/policy/equal_time.hpp"
#include "makespan/bag/policy/guided.hpp"
#include "makespan/bag/policy/self_scheduling.hpp"
#include "makespan/bag/policy/unknown_name.hpp"

namespace makespan::bag {

namespace {

template <RegisteredPolicy P>
PolicyEntry entry() {
  return {P::name, P::summary, P::option_help(),
          [](PolicyOptions const& given) -> std::unique_ptr<ChunkPolicy> {
            return std::make_unique<P>(given);
          }};
}

}  // namespace

std::span<PolicyEntry const> policies() {
  static std::array const entries{
      entry<EqualTimePolicy>(),
      entry<GuidedPolicy>(),
      entry<SelfSchedulingPolicy>(),
  };
  return entries;
}

PolicyEntry const& policy_entry(std::string_view name) {
  auto const all = policies();
  auto const found = std::ranges::find(all, name, &PolicyEntry::name);
  if (found != all.end()) return *found;
  std::vector<std::string_view> names;
  for (PolicyEntry const& known : all) names.push_back(known.name);
  throw unknown_name("chunk policy", name, names);
}

std::unique_ptr<ChunkPolicy> make_policy(std::string_view name, PolicyOptions const& given) {
  return policy_entry(name).make(given);
}

}  // namespace makespan::bag
