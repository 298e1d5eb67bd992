// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/path/bridge.hpp"

#include <cmath>
#include <cstddef>

namespace makespan::asian {

namespace {

double time_of_row(std::span<double const> time, std::int32_t row) {
  return row == 0 ? 0 : time[static_cast<std::size_t>(row) - 1];
}

BridgeStep between(std::span<double const> time, std::int32_t left, std::int32_t index,
                   std::int32_t right) {
  double const before = time_of_row(time, index) - time_of_row(time, left);
  double const after = time_of_row(time, right) - time_of_row(time, index);
  double const gap = before + after;
  if (gap == 0) return {index, left, right, 1, 0, 0};  // all of them at one time
  // Given B at both ends, B between them is normal: its mean is on the line through them, its
  // variance before · after / gap.
  return {index, left, right, after / gap, before / gap, std::sqrt(before * after / gap)};
}

}  // namespace

void lay_bridge(std::span<double const> time, std::vector<BridgeStep>& bridge) {
  auto const last = static_cast<std::int32_t>(time.size());
  bridge.clear();
  if (last == 0) return;
  // The end depends on no other row: weights of 0, for a row that is there.
  bridge.push_back({last, 0, 0, 0, 0, std::sqrt(time.back())});
  // Breadth first: the entries already laid down are the queue. Each splits the gap on its left and
  // the one on its right.
  for (std::size_t done = 0; done < bridge.size(); ++done) {
    BridgeStep const at = bridge[done];
    bool const is_end = at.index == last;
    std::int32_t const right_end = is_end ? at.index : at.right;
    if (at.index - at.left > 1)
      bridge.push_back(between(time, at.left, at.left + (at.index - at.left) / 2, at.index));
    if (right_end - at.index > 1) {
      bridge.push_back(between(time, at.index, at.index + (right_end - at.index) / 2, right_end));
    }
  }
}

}  // namespace makespan::asian
