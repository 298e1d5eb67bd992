// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where the objects of a collection are made, before anything has been measured.

#include <cstdint>

namespace makespan::graph {

enum class InitialMap : std::uint8_t {
  block,        // consecutive objects together, as many at each place
  round_robin,  // object i at place i mod places
};

// The place of object `index` of `count`. A pure function: all places come to the same. Tested by
// tests/graph/object/initial_map_test.cpp.
[[nodiscard]] constexpr int first_place(InitialMap map, int index, int count, int places) {
  if (map == InitialMap::round_robin) return index % places;
  return static_cast<int>(std::int64_t{index} * places / count);
}

}  // namespace makespan::graph
