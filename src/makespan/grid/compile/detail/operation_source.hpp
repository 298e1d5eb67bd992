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
// What a thread of a GPU computes of a node that is no load: with operands called n7 for node 7, at
// (x, y, z) of its `job`, where `x` says what x is.
[[nodiscard]] std::string node_source(PointNode const& node, std::string const& x);

}  // namespace makespan::grid
