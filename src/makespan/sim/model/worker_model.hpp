// SPDX-License-Identifier: Apache-2.0
#pragma once

// The workers of a machine: threads that claim for themselves, and devices that claim as one.

#include <vector>

#include "makespan/bag/protocol/item_range.hpp"
#include "makespan/base/quantity.hpp"
#include "makespan/sim/model/chunk_course.hpp"
#include "makespan/sim/model/machine_model.hpp"
#include "makespan/sim/model/true_costs.hpp"

namespace makespan::sim {

struct WorkerModel {
  int image{};
  int device{};  // through all images
  DeviceModel const* model{};

  // Of the device's speed, while all its threads work.
  [[nodiscard]] Speed speed() const;
};

// In their order; keeps references to the machine's devices.
[[nodiscard]] std::vector<WorkerModel> workers_of(MachineModel const& machine);

// How this worker gets through a chunk, at `factor` times its speed. In modes mt and mth it lays
// the chunk's tasks on its threads as bag::Gang does: whole tasks side by side, in mode mth, or one
// on all. Tested by tests/sim/model/worker_model_test.cpp.
[[nodiscard]] Pace pace_of(WorkerModel const& worker, TrueCosts const& costs, bag::ItemRange items,
                           double factor);

}  // namespace makespan::sim
