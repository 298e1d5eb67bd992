// SPDX-License-Identifier: Apache-2.0
// Where each way of compiling the kernels leaves its tables; for kernels.cpp alone.
#pragma once

#include <vector>

#include "makespan/apps/calcium/kernels.hpp"

namespace makespan::calcium {

// Tables of the vector instruction sets that were compiled and that this processor has, fastest
// first.
std::vector<Kernels> const& vector_kernels();
Kernels const& one_lane_kernels();

}  // namespace makespan::calcium
