// SPDX-License-Identifier: Apache-2.0
#pragma once

// What objects and messages cost before it is known where they will be.

#include <vector>

#include "makespan/graph/model/graph.hpp"
#include "makespan/graph/model/places.hpp"

namespace makespan::graph {

// What a message and a byte cost from one place to another, the mean over pairs of domains.
struct MeanCosts {
  double message_s{};
  double byte_s{};

  [[nodiscard]] double of(Traffic const& traffic) const {
    return message_s * static_cast<double>(traffic.messages) + byte_s * traffic.bytes;
  }
};
[[nodiscard]] MeanCosts mean_costs(Places const& places);

// By object: the mean over places of what it takes there [s].
[[nodiscard]] std::vector<double> mean_times_s(Graph const& graph, Places const& places);

}  // namespace makespan::graph
