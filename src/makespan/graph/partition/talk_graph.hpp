// SPDX-License-Identifier: Apache-2.0
#pragma once

// Who talks to whom, without direction, as algorithms see it that cut a graph.

#include <cstdint>
#include <span>
#include <vector>

#include "makespan/graph/model/graph.hpp"
#include "makespan/graph/model/places.hpp"

namespace makespan::graph {

struct Talk {
  std::int32_t other{};  // an object
  double cost_s{};       // of all messages between the two, both ways, were they apart

  friend bool operator==(Talk const&, Talk const&) = default;
};

// Each pair of objects once for either, with what all messages between them would cost at the means
// over pairs of domains (mean_costs.hpp): distances are not seen here. O(edges + domains²).
// Tested by tests/graph/partition/talk_graph_test.cpp.
class TalkGraph {
 public:
  TalkGraph(Graph const& graph, Places const& places);

  [[nodiscard]] int objects() const { return static_cast<int>(begin_.size()) - 1; }
  // In the order in which the object's edges name them, sent first.
  [[nodiscard]] std::span<Talk const> of(int object) const {
    auto const at = static_cast<std::size_t>(object);
    return {talks_.data() + begin_[at], talks_.data() + begin_[at + 1]};
  }

 private:
  std::vector<Talk> talks_;
  std::vector<std::int64_t> begin_;
};

}  // namespace makespan::graph
