// SPDX-License-Identifier: Apache-2.0
#pragma once

// A program as C++ source, for the compiler of the machine that it will run on.

#include <string>

#include "makespan/grid/program/point_program.hpp"

namespace makespan::grid {

// The function that a kernel's library has: void(int planes, int past_caches, RowsJob const*). With
// 0 planes what was stored past the caches becomes visible to other threads.
inline constexpr char const* kernel_symbol = "makespan_rows_1";

// Planes that a kernel of this program computes at once: what they load serves several of them, as
// long as it stays in registers.
[[nodiscard]] int planes_at_once(CheckedProgram const& program);

// Needs no header but the compiler's own. Tested by tests/grid/compile/compiled_kernel_test.cpp.
[[nodiscard]] std::string kernel_source(CheckedProgram const& program);

}  // namespace makespan::grid
