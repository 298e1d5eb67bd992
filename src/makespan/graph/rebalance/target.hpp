// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where an object is, or shall be.

#include <cstdint>

namespace makespan::graph {

// An object, and after how many moves it is said to be at the place.
struct Target {
  std::int32_t object{};
  std::uint32_t moves{};
  std::int32_t place{};  // -1 or ignored where the receiver itself is meant
};

}  // namespace makespan::graph
