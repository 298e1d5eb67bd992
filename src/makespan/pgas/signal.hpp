// SPDX-License-Identifier: Apache-2.0
#pragma once

// Words by which one image tells another that something is there.

#include <cstdint>

namespace makespan::pgas {

// What a put_signal does to its word when the data is there.
struct Signal {
  enum class Kind : std::uint8_t { set, add };
  Kind kind{Kind::add};
  std::uint64_t value{1};
};

// How a word that is waited for compares with a value.
enum class Comparison : std::uint8_t { equal, not_equal, at_least, at_most, greater, less };

[[nodiscard]] constexpr bool holds(std::uint64_t word, Comparison comparison, std::uint64_t value) {
  switch (comparison) {
    case Comparison::equal:
      return word == value;
    case Comparison::not_equal:
      return word != value;
    case Comparison::at_least:
      return word >= value;
    case Comparison::at_most:
      return word <= value;
    case Comparison::greater:
      return word > value;
    case Comparison::less:
      return word < value;
  }
  return false;
}

}  // namespace makespan::pgas
