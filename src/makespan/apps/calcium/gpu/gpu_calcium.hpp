// SPDX-License-Identifier: Apache-2.0
#pragma once

// A calcium release unit on a GPU.

#include <memory>

#include "makespan/apps/calcium/calcium_unit.hpp"
#include "makespan/grid/field/accelerator.hpp"

namespace makespan::calcium {

// Computes what the unit computes, with the sources that it has at the time, on GPU number `gpu`,
// as it is seen by this process. The unit outlives it. Throws InputError where there is no such
// GPU, saying why.
[[nodiscard]] std::shared_ptr<grid::Accelerator> gpu_calcium(CalciumUnit const& unit, int gpu);

}  // namespace makespan::calcium
