// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where an object shall be.

#include <cstdint>

namespace makespan::graph {

// An object, and after how many moves it is said to be where the envelope goes or says.
struct Target {
  std::int32_t object{};
  std::uint32_t moves{};
  std::int32_t place{};  // of news, begin
};

}  // namespace makespan::graph
