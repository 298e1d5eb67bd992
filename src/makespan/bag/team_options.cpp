// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/team_options.hpp"

#include "makespan/bag/policy/policy_registry.hpp"

namespace makespan::bag {

namespace {

void set_policy(TeamOptions& options, char const* name) {
  options.policy = name;
  options.policy_options = {};
}

}  // namespace

TeamOptions with_choices_of_dispatcher(TeamOptions options) {
  static_cast<void>(make_policy(options.policy, options.policy_options));
  switch (options.dispatcher) {
    case Dispatcher::boss:
      for (TeamDevice& device : options.devices) device.mode = Mode::mo;
      set_policy(options, "self");
      break;
    case Dispatcher::fixed:
      set_policy(options, "static");
      break;
    case Dispatcher::steal:
    case Dispatcher::hierarchical:
    case Dispatcher::counter:
      break;
  }
  return options;
}

}  // namespace makespan::bag
