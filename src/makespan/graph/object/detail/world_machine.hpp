// SPDX-License-Identifier: Apache-2.0
#pragma once

// The machine that a world runs on: where its threads are, and what messages between them cost.

#include <vector>

#include "makespan/graph/object/machine_use.hpp"
#include "makespan/graph/rebalance/place_layout.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::graph {

struct WorldMachine {
  PlaceLayout layout{};
  std::vector<int> cpus{};  // of this image, by thread: the one that it is tied to; -1: none
  MachineFacts facts{};
};

// As `use` says. Collective over the job; blocks. All images get the same, but `cpus`. Throws
// InputError if images want it differently, or a file cannot be read or is of another machine.
// Tested by tests/graph/object/world_machine_test.cpp.
[[nodiscard]] WorldMachine world_machine_all(pgas::Runtime& runtime, int threads,
                                             MachineUse const& use);

}  // namespace makespan::graph
