// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/diffusion/gpu/detail/column_kernel.hpp"
#include "makespan/apps/diffusion/gpu/gpu_diffusion.hpp"
#include "makespan/cuda/check_gpu.hpp"
#include "makespan/grid/gpu/cuda_accelerator.hpp"

namespace makespan::diffusion {

std::shared_ptr<grid::Accelerator> gpu_diffusion(Lambdas const& lambdas, int gpu) {
  cuda::check_gpu(gpu);
  return grid::cuda_accelerator(
      gpu, [factors = factors_of(lambdas)](grid::Sweep const& sweep, cuda::Stream const& stream) {
        launch_columns(column_job_of(sweep, factors), stream);
      });
}

}  // namespace makespan::diffusion
