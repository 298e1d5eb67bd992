// SPDX-License-Identifier: Apache-2.0
#pragma once

// Simulation: bags, grids and graphs on machines that need not exist, in virtual time.

#include "makespan/base/error.hpp"
#include "makespan/sim/bag_simulation.hpp"
#include "makespan/sim/grids/grid_simulation.hpp"
#include "makespan/sim/model/machine_model.hpp"
#include "makespan/sim/phases/phase_simulation.hpp"
#include "makespan/sim/platform.hpp"
