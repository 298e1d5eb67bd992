// SPDX-License-Identifier: Apache-2.0
#pragma once

// Diffusion on a GPU.

#include <memory>

#include "makespan/apps/diffusion/diffusion.hpp"
#include "makespan/grid/field/accelerator.hpp"

namespace makespan::diffusion {

// Computes what a Diffusion of the same lambdas computes, on GPU number `gpu`, as it is seen by
// this process. Throws InputError where there is no such GPU, saying why.
[[nodiscard]] std::shared_ptr<grid::Accelerator> gpu_diffusion(Lambdas const& lambdas, int gpu);

}  // namespace makespan::diffusion
