// SPDX-License-Identifier: Apache-2.0
#pragma once

// How much the tests that draw many numbers draw. Builds with costly contracts are not optimised,
// and look for other mistakes: they draw less.

#include <cstddef>
#include <cstdint>

namespace makespan {

inline constexpr bool is_small_build = MAKESPAN_CONTRACT_LEVEL >= 2;

// `count` in an optimised build, a 32nd of it in others; stays a multiple of 1024 if it is 32 of
// them.
constexpr std::int64_t drawn(std::int64_t count) {
  return is_small_build ? count / 32 : count;
}

}  // namespace makespan
