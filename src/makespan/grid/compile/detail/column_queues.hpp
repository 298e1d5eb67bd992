// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a thread that goes up a column keeps of each field.

#include <optional>
#include <vector>

#include "makespan/grid/program/point_program.hpp"

namespace makespan::grid {

// Planes of a field that a column reads at its own x and y: each is loaded once, and kept in
// registers while the column passes it.
struct ColumnQueue {
  int low{};
  int high{};
  [[nodiscard]] int planes() const { return high - low + 1; }
};

// By field; none of those that are not read so, or stay the same memory.
[[nodiscard]] std::vector<std::optional<ColumnQueue>> column_queues(CheckedProgram const& program);

}  // namespace makespan::grid
