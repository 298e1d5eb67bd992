// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where the rows lie that some planes of a program read and write, from one y to the next.

#include <cstdint>
#include <span>
#include <vector>

#include "makespan/grid/field/stencil.hpp"
#include "makespan/grid/program/point_program.hpp"
#include "makespan/grid/program/row_kernel.hpp"

namespace makespan::grid {

// Rows of a tile, in the views' numbers.
struct TileRows {
  std::int64_t begin{};
  std::int64_t end{};
};

// Of one thread. Away from faces all pointers move on by a row; beside them they are found anew.
class RowWalk {
 public:
  RowWalk(CheckedProgram const& program, std::vector<RowSlot> const& slots, int planes,
          Sweep const& sweep, TileRows tile);

  // To row y of planes z, z + 1, …
  void go_to(std::int64_t y, std::int64_t z);
  // Into a job, whose other members are the caller's.
  void set(RowsJob& job) const;

 private:
  void find(std::int64_t y, std::int64_t z);
  void find_ahead(std::int64_t y, std::int64_t z);
  void move_on();
  [[nodiscard]] bool is_plain(std::int64_t y) const;

  CheckedProgram const& program_;
  std::vector<RowSlot> const& slots_;
  int planes_;
  std::span<FieldView const> now_;
  std::span<FieldView const> next_;
  TileRows tile_;
  std::int64_t y_{};
  std::int64_t z_{};
  bool is_found_{false};
  std::vector<double const*> in_;
  std::vector<std::int64_t> in_steps_;
  std::vector<double*> out_;
  std::vector<double const*> ahead_;
};

}  // namespace makespan::grid
