// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a world of objects is asked to be.

#include <cstdint>
#include <filesystem>

#include "makespan/graph/object/machine_use.hpp"
#include "makespan/graph/object/trace_use.hpp"
#include "makespan/graph/rebalance/balance_options.hpp"

namespace makespan::graph {

struct CheckpointOptions {
  // Phases from one to the next; 0: none.
  std::int64_t every{0};
  // Where they are written, a folder for each; empty: in the memory of a buddy on another image, so
  // that a run goes on when an image is lost. See checkpoint_files.hpp.
  std::filesystem::path folder{};
  // A checkpoint, written before, that the run goes on from; empty: from the beginning.
  std::filesystem::path from{};
};

struct WorldOptions {
  // Places of each image: threads that run objects. The runtime must have as many.
  int threads{1};
  BalanceOptions balance{};
  MachineUse machine{};
  CheckpointOptions checkpoint{};
  TraceUse trace{};
};

}  // namespace makespan::graph
