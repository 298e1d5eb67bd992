// SPDX-License-Identifier: Apache-2.0
#pragma once

// What it takes to bring objects from where they are to where a mapping has them.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "makespan/graph/model/graph.hpp"
#include "makespan/graph/model/places.hpp"

namespace makespan::graph {

struct Migration {
  std::vector<std::int32_t> objects{};  // that move, rising
  std::vector<double> by_place_s{};     // sending and getting, one after the other
  double bytes{0.0};

  // Of the place where it takes longest: all wait for it.
  [[nodiscard]] double longest_s() const { return std::ranges::max(by_place_s); }
};

// From one mapping to another. Each object goes as one message. Tested by
// tests/graph/model/migration_test.cpp.
[[nodiscard]] Migration migration_of(Graph const& graph, Places const& places,
                                     std::span<std::int32_t const> from,
                                     std::span<std::int32_t const> to);

}  // namespace makespan::graph
