// SPDX-License-Identifier: Apache-2.0
#pragma once

// CUDA's compiler, run on an update's source; what it made is kept in the user's cache.

#include <filesystem>
#include <string>

#include "makespan/base/cache_folder.hpp"
#include "makespan/base/quantity.hpp"
#include "makespan/grid/compile/compiler.hpp"

namespace makespan::grid {

struct GpuCompilerOptions {
  // A name in PATH, or a path; empty: $MAKESPAN_NVCC, or else nvcc in PATH, in $CUDA_HOME/bin, in
  // $CUDA_PATH/bin or in /usr/local/cuda/bin.
  std::string command{};
  // Of the GPU that will run it, as cuda::Gpu has it: 90 for 9.0.
  int capability{};
  std::filesystem::path cache{cache_folder()};  // where libraries are kept; empty: nowhere
  Seconds limit{120.0};                         // after which a compiler is ended
};

// The compiler's path; empty where there is none. Throws InputError where $MAKESPAN_NVCC names
// something else than a program.
[[nodiscard]] std::filesystem::path find_gpu_compiler(GpuCompilerOptions const& options = {});

// Compiles CUDA C++, unless the same source was compiled by the same compiler for such a GPU
// before. Blocks, for some seconds. Throws NotConfigured where there is no compiler, and InputError
// with the compiler's own message where it fails or does not end. Tested by
// tests/grid/compile/gpu_compiler_test.cpp.
[[nodiscard]] KernelLibrary gpu_compiled(std::string const& source,
                                         GpuCompilerOptions const& options);

}  // namespace makespan::grid
