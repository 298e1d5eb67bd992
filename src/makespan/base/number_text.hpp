// SPDX-License-Identifier: Apache-2.0
#pragma once

// Numbers in messages.

#include <array>
#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>

namespace makespan {

// To six digits, as who reads it wants it: "0.1667", "1e+20", "nan". Tested by
// tests/base/number_text_test.cpp.
[[nodiscard]] inline std::string short_text(double value) {
  std::array<char, 32> digits{};
  auto const end = std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                 std::chars_format::general, 6)
                       .ptr;
  return {digits.data(), end};
}

// A thing of a list by its number: "edge 3". Tested likewise.
[[nodiscard]] inline std::string numbered(std::string_view what, std::size_t number) {
  return std::string(what) + " " + std::to_string(number);
}

}  // namespace makespan
