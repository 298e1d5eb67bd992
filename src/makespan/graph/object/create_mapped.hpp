// SPDX-License-Identifier: Apache-2.0
#pragma once

// The first objects of a collection, each where an initial map has it.

#include <concepts>

#include "makespan/graph/object/initial_map.hpp"
#include "makespan/graph/object/object_place.hpp"

namespace makespan::graph {

// Makes those objects of a collection that the map has at this place, by index: make(index) is one.
// For ObjectProgram::create, at each place. Tested by tests/graph/object/create_mapped_test.cpp.
template <class T, std::invocable<int> Make>
void create_mapped(ObjectPlace& here, Collection<T> in, InitialMap map, Make&& make) {
  for_each_first(map, here.place(), in.count, here.places(),
                 [&](int index) { here.create(in, index, make(index)); });
}

}  // namespace makespan::graph
