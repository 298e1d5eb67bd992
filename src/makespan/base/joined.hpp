// SPDX-License-Identifier: Apache-2.0
#pragma once

// Texts and whole numbers, one after the other, in one string.

#include <array>
#include <charconv>
#include <concepts>
#include <string>
#include <string_view>

namespace makespan {

namespace detail {

inline void append(std::string& out, std::string_view text) {
  out += text;
}

template <std::integral T>
  requires(!std::same_as<T, char> && !std::same_as<T, bool>)
void append(std::string& out, T number) {
  std::array<char, 24> digits{};
  out.append(digits.data(),
             std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
}

}  // namespace detail

// joined("q", 3, "[", at, "]"). Tested by tests/base/joined_test.cpp.
template <class... Parts>
[[nodiscard]] std::string joined(Parts const&... parts) {
  std::string out;
  (detail::append(out, parts), ...);
  return out;
}

}  // namespace makespan
