// SPDX-License-Identifier: Apache-2.0
#pragma once

// A program compiled for a GPU.

#include <cstdint>
#include <memory>
#include <vector>

#include "makespan/grid/compile/compiler.hpp"
#include "makespan/grid/compile/gpu_compiler.hpp"
#include "makespan/grid/field/stencil.hpp"
#include "makespan/grid/program/point_program.hpp"

namespace makespan::grid {

// Of programs that make one step at once. Meant to have the bits of the program's other kernels: it
// has them compiled for the host, and by chipStar. Tested by
// tests/grid/compile/gpu_kernel_test.cpp.
class GpuKernel {
 public:
  // Throws as gpu_compiled(), and InputError for more fields and parameters than a launch can
  // carry.
  GpuKernel(CheckedProgram const& program, GpuCompilerOptions const& options);
  // From gpu_source(), by whatever compiler. Throws InputError if it has no such function.
  explicit GpuKernel(KernelLibrary library);

  // Brings its code to GPU number `gpu`, and gives a cudaError_t: not 0 where the library's own
  // CUDA runtime and the driver do not go together.
  [[nodiscard]] int prepare(int gpu) const;
  // Begins the sweep on GPU number `gpu`, in its stream (a cudaStream_t), and gives a cudaError_t.
  // As many parameters as the program has; they are read before it returns.
  [[nodiscard]] int launch(Sweep const& sweep, std::vector<double> const& parameters, int gpu,
                           void* stream) const;

 private:
  KernelLibrary library_;
  void* ready_;
  void* columns_;
};

// The kernel of this source for such a GPU, compiled and loaded once for each process. For any
// thread. Throws as the constructor.
[[nodiscard]] std::shared_ptr<GpuKernel const> gpu_kernel(CheckedProgram const& program,
                                                          GpuCompilerOptions const& options);

}  // namespace makespan::grid
