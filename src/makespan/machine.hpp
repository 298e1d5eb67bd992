// SPDX-License-Identifier: Apache-2.0
#pragma once

// Machines: their topology, devices and speeds, and what it costs to get from one part to another.

#include "makespan/base/error.hpp"
#include "makespan/machine/cost_matrix.hpp"
#include "makespan/machine/device_list.hpp"
#include "makespan/machine/machine.hpp"
#include "makespan/machine/measure.hpp"
#include "makespan/machine/topology.hpp"
