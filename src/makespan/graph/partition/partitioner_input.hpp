// SPDX-License-Identifier: Apache-2.0
#pragma once

// A graph in the whole numbers that libraries for graph partitioning want.

#include <cstdint>
#include <span>
#include <vector>

#include "makespan/graph/partition/communication_graph.hpp"

namespace makespan::graph {

// Vertices and undirected edges, each of which stands at both of its ends. Weights are at least 1
// and sum up to less than 2^30, so that the libraries' 32 bits hold any sum.
struct PartitionerInput {
  std::vector<std::int32_t> begin{0};         // into `other`; shape (vertices + 1)
  std::vector<std::int32_t> other{};          // vertices, shape (edge ends)
  std::vector<std::int32_t> edge_weight{};    // shape (edge ends)
  std::vector<std::int32_t> vertex_weight{};  // shape (vertices)

  [[nodiscard]] int vertices() const { return static_cast<int>(begin.size()) - 1; }
};

// Objects as vertices. Throws InputError if there are more edges than 32 bits can number. O(objects
// + talks). Tested by tests/graph/partition/partitioner_input_test.cpp.
[[nodiscard]] PartitionerInput partitioner_input(CommunicationGraph const& communication,
                                                 std::vector<double> const& weights);

// `values` in proportion, as whole numbers of at least 1 whose sum is `sum` but for rounding; all 1
// where all are 0.
[[nodiscard]] std::vector<std::int32_t> in_proportion(std::span<double const> values, double sum);

}  // namespace makespan::graph
