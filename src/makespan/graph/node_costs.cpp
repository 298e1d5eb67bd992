// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/node_costs.hpp"

#include <algorithm>
#include <cstddef>

#include "makespan/base/error.hpp"
#include "makespan/base/median.hpp"

namespace makespan::graph {

namespace {

// Numbers of nodes, by image.
std::vector<std::size_t> nodes_of(std::span<std::string const> hosts) {
  std::vector<std::string> seen;
  std::vector<std::size_t> nodes;
  for (std::string const& host : hosts) {
    auto const known = std::ranges::find(seen, host);
    nodes.push_back(static_cast<std::size_t>(known - seen.begin()));
    if (known == seen.end()) seen.push_back(host);
  }
  return nodes;
}

std::vector<double> between_nodes(std::span<std::size_t const> nodes, std::size_t count,
                                  std::span<double const> values, double otherwise) {
  std::vector<std::vector<double>> known(count * count);
  std::vector<double> all;
  for (std::size_t from = 0; from < nodes.size(); ++from) {
    for (std::size_t to = 0; to < nodes.size(); ++to) {
      double const value = values[from * nodes.size() + to];
      if (nodes[from] == nodes[to] || !(value > 0.0)) continue;
      known[nodes[from] * count + nodes[to]].push_back(value);
      all.push_back(value);
    }
  }
  double const typical = median_or(all, otherwise);
  std::vector<double> table;
  table.reserve(known.size());
  for (std::vector<double> const& cell : known) table.push_back(median_or(cell, typical));
  return table;
}

}  // namespace

NodeCosts equal_nodes(int nodes, double latency_s, double bandwidth_bytes_s) {
  if (nodes < 1 || nodes > nodes_max) {
    throw InputError(std::to_string(nodes) + " nodes", "there is a table of all pairs of nodes",
                     "give 1 to " + std::to_string(nodes_max));
  }
  auto const pairs = static_cast<std::size_t>(nodes) * static_cast<std::size_t>(nodes);
  return {.nodes = nodes,
          .latency_s = std::vector<double>(pairs, latency_s),
          .bandwidth_bytes_s = std::vector<double>(pairs, bandwidth_bytes_s)};
}

NodeCosts node_costs_of(std::span<std::string const> hosts, std::span<double const> latency_s,
                        std::span<double const> bandwidth_bytes_s) {
  std::size_t const pairs = hosts.size() * hosts.size();
  if (hosts.empty() || latency_s.size() != pairs || bandwidth_bytes_s.size() != pairs) {
    throw InputError("network of " + std::to_string(hosts.size()) + " images",
                     "its tables have " + std::to_string(latency_s.size()) + " and " +
                         std::to_string(bandwidth_bytes_s.size()) + " values",
                     "give one for each pair of images");
  }
  std::vector<std::size_t> const nodes = nodes_of(hosts);
  std::size_t const count = *std::ranges::max_element(nodes) + 1;
  return {.nodes = static_cast<int>(count),
          .latency_s = between_nodes(nodes, count, latency_s, network_latency_s_assumed),
          .bandwidth_bytes_s =
              between_nodes(nodes, count, bandwidth_bytes_s, network_bandwidth_assumed)};
}

}  // namespace makespan::graph
