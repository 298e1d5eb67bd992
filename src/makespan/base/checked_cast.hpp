// SPDX-License-Identifier: Apache-2.0
#pragma once

// Conversion between integers, and between integers and floating point, that never changes the
// value.

#include <concepts>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace makespan {

template <class T>
concept Number = std::is_arithmetic_v<T> && !std::same_as<std::remove_cv_t<T>, bool>;

// One of the two is an integer; floating point is narrowed elsewhere, and knowingly.
template <class To, class From>
concept CheckedCastable = Number<To> && Number<From> && (std::integral<To> || std::integral<From>);

// Whether `To` can hold exactly `from`.
template <class To, class From>
  requires CheckedCastable<To, From>
[[nodiscard]] constexpr bool holds_exactly(From from) {
  if constexpr (std::integral<To> && std::integral<From>) {
    return std::in_range<To>(from);
  } else if constexpr (std::integral<To>) {
    // The limits are powers of two (or 0), so both are exact in From; the upper one is past the
    // end.
    constexpr To half_range = std::numeric_limits<To>::max() / 2 + 1;
    constexpr From past_end = 2 * static_cast<From>(half_range);
    constexpr From lowest = static_cast<From>(std::numeric_limits<To>::min());
    return from >= lowest && from < past_end && static_cast<From>(static_cast<To>(from)) == from;
  } else {
    // Back through the check above, since the nearest To may lie outside From.
    To const near = static_cast<To>(from);
    return holds_exactly<From>(near) && static_cast<From>(near) == from;
  }
}

// `from` as a `To`. Throws std::range_error when `To` cannot hold this value, in every build.
template <class To, class From>
  requires CheckedCastable<To, From>
[[nodiscard]] constexpr To checked_cast(From from) {
  if (!holds_exactly<To>(from)) {
    throw std::range_error("checked_cast: the target type cannot hold this value");
  }
  return static_cast<To>(from);
}

}  // namespace makespan
