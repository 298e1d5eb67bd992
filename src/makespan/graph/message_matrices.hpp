// SPDX-License-Identifier: Apache-2.0
#pragma once

// What messages between the cores of a machine cost, as matrices that are kept with the machine.

#include <span>
#include <vector>

#include "makespan/graph/message_classes.hpp"
#include "makespan/machine/cost_matrix.hpp"
#include "makespan/machine/measure_plan.hpp"
#include "makespan/machine/topology.hpp"

namespace makespan::graph {

// Threads of one process, tied to these cores.
[[nodiscard]] std::vector<ThreadPlace> threads_on(machine::Topology const& topology,
                                                  std::span<machine::CorePlace const> cores);

// Between these cores, each pair with the cost of its class: message_latency, message_send,
// message_receive [s] and message_bandwidth [bytes/s]. Pairs of a class that is not known are 0.
// Tested by tests/graph/message_matrices_test.cpp, as the function below.
[[nodiscard]] std::vector<machine::CostMatrix> message_matrices(
    machine::Topology const& topology, std::span<machine::CorePlace const> cores,
    ClassCosts const& known);

// The classes of messages that a machine has such matrices for; the median of a class's pairs.
[[nodiscard]] ClassCosts class_costs_of(machine::Topology const& topology);

}  // namespace makespan::graph
