// SPDX-License-Identifier: Apache-2.0
#pragma once

// What messages between objects on the cores of this machine cost.

#include <atomic>
#include <span>
#include <stop_token>
#include <vector>

#include "makespan/base/quantity.hpp"
#include "makespan/machine/cost_matrix.hpp"
#include "makespan/machine/measure_plan.hpp"
#include "makespan/machine/topology.hpp"

namespace makespan::graph {

// One pair of each class of cores (message_classes.hpp) runs two threads of this process that send
// each other messages through a runtime of their own; see message_matrices.hpp for what comes of
// it. The classes share `budget`. `classes_done` counts them; there are classes_between() of them.
//
// Blocks. This process is an image of its own, launched by nothing, and has no other runtime. Asked
// to stop, it does so after the class under way, and pairs of the others are 0. Tested by
// tests/graph/object/core_messages_test.cpp.
[[nodiscard]] std::vector<machine::CostMatrix> core_messages(
    machine::Topology const& topology, std::span<machine::CorePlace const> cores, Seconds budget,
    std::atomic<int>& classes_done, std::stop_token const& stop = {});

[[nodiscard]] int classes_between(machine::Topology const& topology,
                                  std::span<machine::CorePlace const> cores);

}  // namespace makespan::graph
