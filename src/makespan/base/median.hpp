// SPDX-License-Identifier: Apache-2.0
#pragma once

// The middle of some numbers.

#include <algorithm>
#include <cstddef>
#include <vector>

namespace makespan {

// The mean of the two in the middle of an even count; `otherwise` of none. Tested by
// tests/base/median_test.cpp.
[[nodiscard]] inline double median_or(std::vector<double> values, double otherwise) {
  if (values.empty()) return otherwise;
  std::ranges::sort(values);
  std::size_t const middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

}  // namespace makespan
