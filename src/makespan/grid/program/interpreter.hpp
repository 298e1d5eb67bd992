// SPDX-License-Identifier: Apache-2.0
#pragma once

// A program carried out operation by operation on short pieces of rows: where there is no compiler,
// and as what compiled kernels are compared with.

#include <vector>

#include "makespan/grid/program/point_program.hpp"
#include "makespan/grid/program/row_kernel.hpp"

namespace makespan::grid {

// Tested by tests/grid/program/program_stencil_test.cpp.
class Interpreter final : public RowKernel {
 public:
  explicit Interpreter(CheckedProgram program);

  [[nodiscard]] std::string_view name() const override { return "interpreted"; }
  [[nodiscard]] int planes() const override { return 1; }
  void compute(int planes, RowStoring storing, RowsJob const& job) const override;

 private:
  CheckedProgram program_;
  std::vector<std::size_t> slots_;  // by operation, of loads
};

}  // namespace makespan::grid
