// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/dispatcher.hpp"

#include <array>

#include "makespan/base/named_entry.hpp"

namespace makespan::bag {

namespace {

constexpr std::array<DispatcherEntry, 5> entries{{
    {Dispatcher::steal, "steal",
     "claims from a shared counter, then tails of running chunks (default)"},
    {Dispatcher::hierarchical, "hierarchical",
     "as steal, but from a counter of the node, which is filled from the shared one"},
    {Dispatcher::counter, "counter", "claims from a shared counter"},
    {Dispatcher::boss, "boss", "one task for each request, whatever the policy and the mode"},
    {Dispatcher::fixed, "static", "one equal share for each, whatever the policy"},
}};

}  // namespace

std::span<DispatcherEntry const> dispatchers() {
  return entries;
}

Dispatcher dispatcher_named(std::string_view name) {
  return entry_named("dispatcher", dispatchers(), name).dispatcher;
}

}  // namespace makespan::bag
