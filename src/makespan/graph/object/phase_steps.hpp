// SPDX-License-Identifier: Apache-2.0
#pragma once

// Steps of a program, so many of them in each phase.

#include <cstdint>

namespace makespan::graph {

// Throws InputError unless both are positive and `steps` is a multiple of `steps_per_phase`. Tested
// by tests/graph/object/phase_steps_test.cpp.
void check_steps(std::int64_t steps, std::int64_t steps_per_phase);

}  // namespace makespan::graph
