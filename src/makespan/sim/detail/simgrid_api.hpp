// SPDX-License-Identifier: Apache-2.0
#pragma once

// What SimGrid names in another way from version to version, 3.32 to 4.x.
//
// SimGrid 4 makes zones, hosts and actors by methods of where they belong, and lets no zone be the
// root but its own. The rest of this room uses what has been the same since 3.32, and asks for no
// version. Tested by tests/sim/simgrid_api_test.cpp.

#include <functional>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

namespace makespan::sim {

// Hosts node0, node1, … of one core of the given speed [flop/s] and without routes, into this
// process's engine, which has none yet.
[[nodiscard]] std::vector<simgrid::s4u::Host*> add_hosts(int count, double speed);

// Runs `code` from the time of the call on, or from the simulation's begin.
simgrid::s4u::ActorPtr add_actor(std::string const& name, simgrid::s4u::Host* host,
                                 std::function<void()> const& code);

}  // namespace makespan::sim
