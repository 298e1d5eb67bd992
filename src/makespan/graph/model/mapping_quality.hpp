// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is good and bad about a mapping, in numbers for people.

#include <cstdint>
#include <span>

#include "makespan/base/quantity.hpp"
#include "makespan/graph/model/graph.hpp"
#include "makespan/graph/model/places.hpp"

namespace makespan::graph {

struct MappingQuality {
  Seconds phase{};        // predicted: see phase_time.hpp
  double imbalance{};     // of computing: the longest place over the mean, weighted by speed
  double place_bytes{};   // a phase, from one place to another
  double domain_bytes{};  // from one domain to another
  double node_bytes{};    // from one node to another
  std::int64_t moves{};   // objects that go elsewhere
  double moved_bytes{};   // of those objects
};

// Of a mapping, beside where objects are now. Tested by tests/graph/model/mapping_quality_test.cpp.
[[nodiscard]] MappingQuality quality_of(Graph const& graph, Places const& places,
                                        std::span<std::int32_t const> mapping);

}  // namespace makespan::graph
