// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/compile/detail/column_queues.hpp"

#include <algorithm>
#include <cstddef>

namespace makespan::grid {

std::vector<std::optional<ColumnQueue>> column_queues(CheckedProgram const& program) {
  std::vector<std::optional<ColumnQueue>> queues(static_cast<std::size_t>(program.fields()));
  for (PointNode const& node : program.nodes()) {
    if (node.op != PointOp::load || node.offset.x != 0 || node.offset.y != 0) continue;
    auto const field = static_cast<std::size_t>(node.field);
    if (program.shape().fields[field] != FieldRole::spreads) continue;
    std::optional<ColumnQueue>& queue = queues[field];
    if (!queue) queue = ColumnQueue{node.offset.z, node.offset.z};
    queue->low = std::min(queue->low, node.offset.z);
    queue->high = std::max(queue->high, node.offset.z);
  }
  return queues;
}

}  // namespace makespan::grid
