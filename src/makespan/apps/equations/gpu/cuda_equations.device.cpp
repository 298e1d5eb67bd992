// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include "makespan/apps/equations/gpu/gpu_equations.hpp"
#include "makespan/base/error.hpp"
#include "makespan/cuda/check_gpu.hpp"
#include "makespan/cuda/error.hpp"
#include "makespan/cuda/gpu.hpp"
#include "makespan/grid/compile/gpu_compiler.hpp"
#include "makespan/grid/compile/gpu_kernel.hpp"
#include "makespan/grid/gpu/cuda_accelerator.hpp"

namespace makespan::equations {

std::shared_ptr<grid::Accelerator> gpu_equations(grid::ProgramStencil const& stencil, int gpu) {
  cuda::check_gpu(gpu);
  int const capability = cuda::discover().gpus[static_cast<std::size_t>(gpu)].capability;
  auto const kernel = grid::gpu_kernel(stencil.program(), {.capability = capability});
  // Loaded here and not at the first launch: what a GPU refuses is then bad input, told before any
  // step, and no failure in the midst of a run.
  try {
    cuda::check(kernel->prepare(gpu), "loading an update");
  } catch (cuda::CudaFailed const& error) {
    throw InputError("GPU " + std::to_string(gpu), error.what(),
                     "name an nvcc that fits the driver by MAKESPAN_NVCC, or leave GPUs out");
  }
  return grid::cuda_accelerator(
      gpu, [&stencil, kernel, gpu](grid::Sweep const& sweep, cuda::Stream const& stream) {
        cuda::check(kernel->launch(sweep, stencil.parameters(), gpu, stream.get()),
                    "launch of a step of an update");
      });
}

}  // namespace makespan::equations
