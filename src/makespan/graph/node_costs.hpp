// SPDX-License-Identifier: Apache-2.0
#pragma once

// What it costs to go from one node of a cluster to another.

#include <span>
#include <string>
#include <vector>

namespace makespan::graph {

inline constexpr double network_latency_s_assumed = 2e-6;
inline constexpr double network_bandwidth_assumed = 12.5e9;  // bytes per second: 100 Gbit/s

// Shape (nodes, nodes), the sender's first; the diagonal is not looked at.
struct NodeCosts {
  int nodes{1};
  std::vector<double> latency_s{};
  std::vector<double> bandwidth_bytes_s{};
};

inline constexpr int nodes_max = 4096;  // tables of 16 million pairs: 128 MiB each

// The same between all. Throws InputError below 1 node and above nodes_max. Tested by
// tests/graph/node_costs_test.cpp, as the function below.
[[nodiscard]] NodeCosts equal_nodes(int nodes, double latency_s = network_latency_s_assumed,
                                    double bandwidth_bytes_s = network_bandwidth_assumed);

// What was measured between the images of a job (`makespan machine --measure` under mpiexec), by
// image: `latency_s` and `bandwidth_bytes_s` have shape (images, images), and 0 is not known. Hosts
// become nodes in the order in which they come first; between two of them counts the median over
// their images, and where nothing is known the median of all, or what is assumed. Throws InputError
// on tables of the wrong shape.
[[nodiscard]] NodeCosts node_costs_of(std::span<std::string const> hosts,
                                      std::span<double const> latency_s,
                                      std::span<double const> bandwidth_bytes_s);

}  // namespace makespan::graph
