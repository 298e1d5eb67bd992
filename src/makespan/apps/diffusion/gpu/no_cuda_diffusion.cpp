// SPDX-License-Identifier: Apache-2.0
// In place of cuda_diffusion.device.cpp, in builds without CUDA.
#include "makespan/apps/diffusion/gpu/gpu_diffusion.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/cuda/check_gpu.hpp"

namespace makespan::diffusion {

std::shared_ptr<grid::Accelerator> gpu_diffusion(Lambdas const& /*lambdas*/, int gpu) {
  cuda::check_gpu(gpu);  // throws: there is none
  MAKESPAN_ASSERT(false);
  return nullptr;
}

}  // namespace makespan::diffusion
