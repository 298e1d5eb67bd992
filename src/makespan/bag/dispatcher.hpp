// SPDX-License-Identifier: Apache-2.0
#pragma once

// How items come to workers.

#include <span>
#include <string_view>

namespace makespan::bag {

enum class Dispatcher {
  steal,         // workers claim from a shared counter, and in the end take tails from each other
  hierarchical,  // the same, from a counter of their node, which is filled from the shared one
  counter,       // workers claim from a shared counter
  boss,          // a boss hands out one task at a time, to workers that ask
  fixed,         // equal shares, one for each worker; named "static". What one has not begun when
                 // another has ended its own, that one takes: it may never come
};

// One dispatcher as users name it.
struct DispatcherEntry {
  Dispatcher dispatcher;
  std::string_view name;
  std::string_view summary;
};

// All dispatchers, the default first.
[[nodiscard]] std::span<DispatcherEntry const> dispatchers();

// Whether workers take tails from each other in the end.
[[nodiscard]] constexpr bool steals_tails(Dispatcher dispatcher) {
  return dispatcher == Dispatcher::steal || dispatcher == Dispatcher::hierarchical;
}

// The dispatcher of that name. Throws InputError, which names the nearest.
[[nodiscard]] Dispatcher dispatcher_named(std::string_view name);

}  // namespace makespan::bag
