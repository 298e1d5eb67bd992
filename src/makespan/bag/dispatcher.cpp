// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/dispatcher.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "makespan/bag/policy/unknown_name.hpp"

namespace makespan::bag {

namespace {

constexpr std::array<DispatcherEntry, 3> entries{{
    {Dispatcher::steal, "steal",
     "claims from a shared counter, then tails of running chunks (default)"},
    {Dispatcher::counter, "counter", "claims from a shared counter"},
    {Dispatcher::fixed, "static", "one equal share for each, whatever the policy"},
}};

}  // namespace

std::span<DispatcherEntry const> dispatchers() {
  return entries;
}

Dispatcher dispatcher_named(std::string_view name) {
  auto const found = std::ranges::find(entries, name, &DispatcherEntry::name);
  if (found != entries.end()) return found->dispatcher;
  std::vector<std::string_view> names;
  names.reserve(entries.size());
  for (DispatcherEntry const& entry : entries) names.push_back(entry.name);
  throw unknown_name("dispatcher", name, names);
}

}  // namespace makespan::bag
