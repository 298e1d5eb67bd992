// SPDX-License-Identifier: Apache-2.0
#pragma once

// Numbers and operations of programs as C++ source, for processors and GPUs alike.

#include <span>
#include <string>

#include "makespan/grid/program/point_program.hpp"

namespace makespan::grid {

// Exactly this number.
[[nodiscard]] std::string number_source(double value);

// An operation that has operands, of these.
[[nodiscard]] std::string operation_source(PointOp op, std::span<std::string const> operands);
// A node that has operands, of theirs: node 7's is called n7.
[[nodiscard]] std::string operation_of(PointNode const& node);

}  // namespace makespan::grid
