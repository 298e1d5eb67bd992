// SPDX-License-Identifier: Apache-2.0
#pragma once

// A program compiled for this machine.

#include <memory>

#include "makespan/grid/compile/compiler.hpp"
#include "makespan/grid/program/point_program.hpp"
#include "makespan/grid/program/row_kernel.hpp"

namespace makespan::grid {

enum class KernelChoice : std::uint8_t {
  automatic,    // compiled where there is a compiler, else interpreted
  compiled,     // NotConfigured where there is none
  interpreted,  // the same bits, slower
};

// Throws as compiled(). Tested by tests/grid/compile/compiled_kernel_test.cpp.
[[nodiscard]] std::unique_ptr<RowKernel> compiled_kernel(CheckedProgram const& program,
                                                         CompilerOptions const& options = {});

[[nodiscard]] std::unique_ptr<RowKernel> row_kernel(CheckedProgram const& program,
                                                    KernelChoice choice,
                                                    CompilerOptions const& options = {});

}  // namespace makespan::grid
