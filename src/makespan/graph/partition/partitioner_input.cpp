// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/partition/partitioner_input.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "makespan/base/error.hpp"

namespace makespan::graph {

namespace {

// Rounding up to 1 adds at most the number of weights, itself below 2^29 for graphs that fit.
constexpr double sum_max = 0x1p29;

}  // namespace

std::vector<std::int32_t> in_proportion(std::span<double const> values, double sum) {
  double const all = std::accumulate(values.begin(), values.end(), 0.0);
  std::vector<std::int32_t> whole;
  whole.reserve(values.size());
  for (double const value : values) {
    double const scaled = all > 0.0 ? value / all * sum : 1.0;
    whole.push_back(static_cast<std::int32_t>(std::max(1.0, std::round(scaled))));
  }
  return whole;
}

PartitionerInput partitioner_input(CommunicationGraph const& communication,
                                   std::vector<double> const& weights) {
  PartitionerInput input;
  std::vector<double> costs;
  for (int object = 0; object < communication.objects(); ++object) {
    for (CommunicationEdge const& talk : communication.of(object)) {
      input.other.push_back(talk.other);
      costs.push_back(talk.cost_s);
    }
    if (std::ssize(costs) > static_cast<std::ptrdiff_t>(sum_max)) {
      throw InputError("a graph of more than 2^29 edges", "partitioners count in 32 bits",
                       "use another balancer");
    }
    input.begin.push_back(static_cast<std::int32_t>(costs.size()));
  }
  input.edge_weight = in_proportion(costs, sum_max);
  input.vertex_weight = in_proportion(weights, sum_max);
  return input;
}

}  // namespace makespan::graph
