// SPDX-License-Identifier: Apache-2.0
#pragma once

// A program as CUDA C++ source: a thread goes up a column of points, plane by plane.

#include <string>

#include "makespan/grid/program/point_program.hpp"

namespace makespan::grid {

// The function that the library has: int(GpuCall const*, void* stream). It begins in the stream and
// gives a cudaError_t.
inline constexpr char const* gpu_kernel_symbol = "makespan_columns_1";

// A compiler of plain C++ makes of the same source a function that computes all points before it
// returns: the emulation that tests run. Throws InputError for more fields and parameters than a
// kernel can be given. Tested by tests/grid/compile/gpu_kernel_test.cpp.
[[nodiscard]] std::string gpu_source(CheckedProgram const& program);

}  // namespace makespan::grid
