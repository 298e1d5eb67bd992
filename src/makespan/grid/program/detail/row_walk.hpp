// SPDX-License-Identifier: Apache-2.0
#pragma once

// The rows that some planes of a program read and write, from one y to the next.

#include <cstdint>
#include <vector>

#include "makespan/grid/program/detail/step_rows.hpp"
#include "makespan/grid/program/point_program.hpp"
#include "makespan/grid/program/row_kernel.hpp"

namespace makespan::grid {

// Of one thread and one step. Away from faces all pointers move on by a row; beside them they are
// found anew.
class RowWalk {
 public:
  RowWalk(CheckedProgram const& program, std::vector<RowSlot> const& slots, int planes,
          StepRows const& rows, int step);

  // To row y of planes z, z + 1, …
  void go_to(std::int64_t y, std::int64_t z);
  // Into a job, whose other members are the caller's.
  void set(RowsJob& job) const;

 private:
  void find(std::int64_t y, std::int64_t z);
  void find_ahead(std::int64_t y, std::int64_t z);
  void move_on();

  CheckedProgram const& program_;
  std::vector<RowSlot> const& slots_;
  int planes_;
  StepRows const& rows_;
  int step_;
  std::int64_t y_{};
  std::int64_t z_{};
  bool is_found_{false};
  std::int64_t pitch_;
  Reach plain_rows_;
  std::vector<double const*> in_;
  std::vector<std::int64_t> in_steps_;
  std::vector<double*> out_;
  std::vector<double const*> ahead_;
};

}  // namespace makespan::grid
