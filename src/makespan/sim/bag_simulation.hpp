// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs a bag on a machine that need not exist, in virtual time, by the policies, protocols and
// dispatchers that run it in real time.

#include "makespan/sim/bag_job.hpp"

namespace makespan::sim {

// Once in a process: SimGrid has one engine. Repeatable to the last bit. Blocks until the bag is
// done, in less time than that takes by far: a claim is some microseconds of real time.
//
// Throws InputError on an invalid job (check(), policies, costs and speeds that are not finite
// numbers).
// Tested by tests/sim/bag_simulation_test.cpp.
[[nodiscard]] BagResult simulate(BagJob const& job);

}  // namespace makespan::sim
