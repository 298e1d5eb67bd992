// SPDX-License-Identifier: Apache-2.0
// In place of cuda_equations.device.cpp, in builds without CUDA.
#include "makespan/apps/equations/gpu/gpu_equations.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/cuda/check_gpu.hpp"

namespace makespan::equations {

std::shared_ptr<grid::Accelerator> gpu_equations(grid::ProgramStencil const& /*stencil*/, int gpu) {
  cuda::check_gpu(gpu);  // throws: there is none
  MAKESPAN_ASSERT(false);
  return nullptr;
}

}  // namespace makespan::equations
