// SPDX-License-Identifier: Apache-2.0
#pragma once

// The part of a GPU's update that computes two neighbours along x at once, where all that they read
// is stored: `pairs(job, x, y, begin, end)`. Tested by tests/grid/compile/gpu_kernel_test.cpp.

#include <string>

#include "makespan/grid/program/point_program.hpp"

namespace makespan::grid {

[[nodiscard]] std::string pair_source(CheckedProgram const& program);

}  // namespace makespan::grid
