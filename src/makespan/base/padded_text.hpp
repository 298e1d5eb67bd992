// SPDX-License-Identifier: Apache-2.0
#pragma once

// Texts in rows of one length, filled up with zeros, as images gather them.

#include <algorithm>
#include <span>
#include <string>

namespace makespan {

// The text of one row: up to its first zero, or all of it where another program has left none.
// Tested by tests/base/padded_text_test.cpp.
[[nodiscard]] inline std::string text_of_row(std::span<char const> row) {
  return {row.begin(), std::ranges::find(row, '\0')};
}

}  // namespace makespan
