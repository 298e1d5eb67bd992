// SPDX-License-Identifier: Apache-2.0
#pragma once

// What was measured between a machine's places, as costs between domains.

#include "makespan/graph/detail/machine_layout.hpp"
#include "makespan/graph/place_table.hpp"
#include "makespan/machine/topology.hpp"

namespace makespan::graph {

// Fills in costs, and where they are from: see places_of_machine(). Tested by
// tests/graph/places_of_machine_test.cpp.
void set_machine_costs(machine::Topology const& topology, MachineLayout const& layout,
                       PlaceTable& table);

}  // namespace makespan::graph
