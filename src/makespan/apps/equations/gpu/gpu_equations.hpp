// SPDX-License-Identifier: Apache-2.0
#pragma once

// A user's own equations on a GPU.

#include <memory>

#include "makespan/grid/field/accelerator.hpp"
#include "makespan/grid/program/program_stencil.hpp"

namespace makespan::equations {

// Computes what the stencil computes, with its parameters as they are at each sweep, on GPU number
// `gpu`, as it is seen by this process; the stencil outlives it. Compiles the program, unless it
// was compiled before. Throws InputError where there is no such GPU, or it does not take the code,
// saying why, and as gpu_compiled(): NotConfigured without nvcc.
[[nodiscard]] std::shared_ptr<grid::Accelerator> gpu_equations(grid::ProgramStencil const& stencil,
                                                               int gpu);

}  // namespace makespan::equations
