// SPDX-License-Identifier: Apache-2.0
#pragma once

// A program as a stencil: tiles of rows go up through the planes, so that a plane is in the cache
// when those above it are computed, and a kernel does the rows.

#include <cstdint>
#include <memory>
#include <vector>

#include "makespan/grid/field/cache_sizes.hpp"
#include "makespan/grid/field/stencil.hpp"
#include "makespan/grid/program/point_program.hpp"
#include "makespan/grid/program/row_kernel.hpp"

namespace makespan::grid {

// Tested by tests/grid/program/program_stencil_test.cpp.
class ProgramStencil final : public Stencil {
 public:
  // The kernel is the program's. As many parameters as the program has.
  ProgramStencil(CheckedProgram program, std::unique_ptr<RowKernel> kernel,
                 std::vector<double> parameters = {}, CacheSizes const& caches = cache_sizes());

  [[nodiscard]] StencilShape shape() const override { return program_.shape(); }
  void sweep(Sweep const& sweep) const override;

  [[nodiscard]] CheckedProgram const& program() const { return program_; }
  [[nodiscard]] RowKernel const& kernel() const { return *kernel_; }
  [[nodiscard]] std::vector<double> const& parameters() const { return parameters_; }
  // For steps to come; while no thread sweeps.
  void set_parameters(std::vector<double> parameters);

 private:
  [[nodiscard]] std::int64_t tile_rows(Sweep const& sweep) const;
  [[nodiscard]] RowStoring storing(Sweep const& sweep) const;

  CheckedProgram program_;
  std::unique_ptr<RowKernel> kernel_;
  std::vector<double> parameters_;
  CacheSizes caches_;
  std::vector<RowSlot> slots_;      // of kernel_->planes()
  std::vector<RowSlot> slots_one_;  // of one plane
};

}  // namespace makespan::grid
