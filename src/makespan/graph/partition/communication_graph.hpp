// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which objects send each other messages, without direction: the form that graph partitioners take.

#include <cstdint>
#include <span>
#include <vector>

#include "makespan/graph/model/graph.hpp"
#include "makespan/graph/model/places.hpp"

namespace makespan::graph {

struct CommunicationEdge {
  std::int32_t other{};  // an object
  double cost_s{};       // of all messages between the two, both ways, were they apart

  friend bool operator==(CommunicationEdge const&, CommunicationEdge const&) = default;
};

// Each pair of objects once for either, with what all messages between them would cost at the means
// over pairs of domains (mean_costs.hpp): distances are not seen here. O(edges + domains²).
// Tested by tests/graph/partition/communication_graph_test.cpp.
class CommunicationGraph {
 public:
  CommunicationGraph(Graph const& graph, Places const& places);

  [[nodiscard]] int objects() const { return static_cast<int>(begin_.size()) - 1; }
  // In the order in which the object's edges name them, sent first.
  [[nodiscard]] std::span<CommunicationEdge const> of(int object) const {
    auto const at = static_cast<std::size_t>(object);
    return {edges_.data() + begin_[at], edges_.data() + begin_[at + 1]};
  }

 private:
  std::vector<CommunicationEdge> edges_;
  std::vector<std::int64_t> begin_;
};

}  // namespace makespan::graph
