// SPDX-License-Identifier: Apache-2.0
// In place of cuda_calcium.device.cpp, in builds without CUDA.
#include "makespan/apps/calcium/gpu/gpu_calcium.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/cuda/check_gpu.hpp"

namespace makespan::calcium {

std::shared_ptr<grid::Accelerator> gpu_calcium(CalciumUnit const& /*unit*/, int gpu) {
  cuda::check_gpu(gpu);  // throws: there is none
  MAKESPAN_ASSERT(false);
  return nullptr;
}

}  // namespace makespan::calcium
