// SPDX-License-Identifier: Apache-2.0
#pragma once

// The middle of some numbers.

#include <algorithm>
#include <cstddef>
#include <vector>

namespace makespan {

// The mean of the two in the middle of an even count; `otherwise` of none. O(values). Tested by
// tests/base/median_test.cpp.
[[nodiscard]] inline double median_or(std::vector<double> values, double otherwise) {
  if (values.empty()) return otherwise;
  auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  return 0.5 * (*std::max_element(values.begin(), middle) + *middle);
}

}  // namespace makespan
