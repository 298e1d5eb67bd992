// SPDX-License-Identifier: Apache-2.0
#pragma once

// A program as CUDA C++ source: a thread goes up a column of points, plane by plane.

#include <string>

#include "makespan/grid/program/point_program.hpp"

namespace makespan::grid {

// The functions that the library has. int(GpuCall const*, void* stream) begins in the stream;
// int(int gpu) brings the code there. Both give a cudaError_t.
inline constexpr char const* gpu_kernel_symbol = "makespan_columns_1";
inline constexpr char const* gpu_ready_symbol = "makespan_ready_1";

// A compiler of plain C++ makes of the same source a function that computes all points before it
// returns, and gives 0: the emulation that tests run. Throws InputError for more fields and
// parameters than a kernel can be given. Tested by tests/grid/compile/gpu_kernel_test.cpp.
[[nodiscard]] std::string gpu_source(CheckedProgram const& program);

}  // namespace makespan::grid
