// SPDX-License-Identifier: Apache-2.0
#pragma once

// Phases of objects in virtual time, balanced as they would be: the real trigger says when, the
// real rebalancer where, from loads as they were measured in the phase before.

#include "makespan/graph/model/graph.hpp"
#include "makespan/graph/model/places.hpp"
#include "makespan/sim/phases/phases_job.hpp"

namespace makespan::sim {

// Begins with the mapping that the graph has. A phase takes as long as graph/model/phase_time.hpp
// says; a migration what model/migration.hpp says. Repeats to the last bit. Throws InputError on
// invalid or inconsistent input, on places of several kinds or with limits of memory, and as
// balancers do. Tested by tests/sim/phases/phase_simulation_test.cpp.
[[nodiscard]] PhasesResult simulate(graph::Graph const& graph, graph::Places const& places,
                                    PhasesJob const& job);

}  // namespace makespan::sim
