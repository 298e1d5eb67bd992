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

// Calls function(index) for those objects whose place that is, rising, without a look at others.
template <class Function>
constexpr void for_each_first(InitialMap map, int place, int count, int places,
                              Function&& function) {
  if (map == InitialMap::round_robin) {
    for (std::int64_t index = place; index < count; index += places) {
      function(static_cast<int>(index));
    }
    return;
  }
  // The first index i with i · places / count >= place, and that of the next place.
  auto const begin_of = [&](std::int64_t of) { return (of * count + places - 1) / places; };
  for (std::int64_t index = begin_of(place); index < begin_of(place + 1); ++index) {
    function(static_cast<int>(index));
  }
}

}  // namespace makespan::graph
