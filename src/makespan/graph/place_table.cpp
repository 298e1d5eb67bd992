// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/place_table.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "makespan/base/error.hpp"
#include "makespan/graph/model/assumed_message_costs.hpp"

namespace makespan::graph {

namespace {

constexpr std::size_t domains_max = nodes_max;  // of which there are as large tables

void expect_repeatable(PlaceTable const& node, NodeCosts const& network) {
  auto const nodes = static_cast<std::size_t>(std::max(network.nodes, 0));
  if (network.nodes < 1) {
    throw InputError(std::to_string(network.nodes) + " nodes", "objects need a place",
                     "give 1 at least");
  }
  if (nodes * node.domains.size() > domains_max) {
    throw InputError(
        std::to_string(nodes) + " nodes of " + std::to_string(node.domains.size()) + " domains",
        "there is a table of all pairs of domains",
        "give at most " + std::to_string(domains_max) + " domains in all");
  }
  if (network.latency_s.size() != nodes * nodes ||
      network.bandwidth_bytes_s.size() != nodes * nodes) {
    throw InputError("network of " + std::to_string(nodes) + " nodes",
                     "its tables have " + std::to_string(network.latency_s.size()) + " and " +
                         std::to_string(network.bandwidth_bytes_s.size()) + " values",
                     "give one for each pair");
  }
  bool const is_one =
      std::ranges::all_of(node.domains, [](Domain const& domain) { return domain.node == 0; });
  if (!is_one) throw InputError("a node to repeat", "it is several", "repeat one");
}

// As far as repeated() reads it; Places looks at the rest.
void expect_tables(PlaceTable const& node) {
  auto const domains = node.domains.size();
  auto const pairs = domains * domains;
  DomainCosts const& costs = node.costs;
  if (costs.latency_s.size() != pairs || costs.bandwidth_bytes_s.size() != pairs ||
      (!costs.receive_s.empty() && costs.receive_s.size() != pairs)) {
    throw InputError("a node of " + std::to_string(domains) + " domains",
                     "its tables have " + std::to_string(costs.latency_s.size()) + ", " +
                         std::to_string(costs.receive_s.size()) + " and " +
                         std::to_string(costs.bandwidth_bytes_s.size()) + " values",
                     "give one for each pair; of the receiver's time there may be none");
  }
  auto const stray = std::ranges::find_if(node.places, [domains](Place const& place) {
    return place.domain < 0 || static_cast<std::size_t>(place.domain) >= domains;
  });
  if (stray == node.places.end()) return;
  throw InputError("a place of domain " + std::to_string(stray->domain),
                   "the node has " + std::to_string(domains), "count domains from 0");
}

// How many numbers a node takes for its groups, so that those of the next begin behind them.
int groups_of_each(std::vector<Domain> const& domains, int nodes) {
  int greatest = 0;
  for (Domain const& domain : domains) {
    for (int const group : domain.groups) greatest = std::max(greatest, group);
  }
  int const limit = std::numeric_limits<int>::max() / nodes;
  if (greatest < limit) return 1 + greatest;
  throw InputError("a node with group " + std::to_string(greatest),
                   std::to_string(nodes) + " nodes have no numbers for so many",
                   "number the groups of a node from 0, below " + std::to_string(limit));
}

}  // namespace

PlaceTable equal_places_table(int count) {
  if (count < 1) {
    throw InputError(std::to_string(count) + " places", "objects need a place", "give 1 at least");
  }
  constexpr int places_max = 1 << 20;
  if (count > places_max) {
    throw InputError(std::to_string(count) + " places", "at most 2^20 are balanced", "give fewer");
  }
  PlaceTable table{.places = std::vector<Place>(static_cast<std::size_t>(count)),
                   .domains = {Domain{}},
                   .costs = {.latency_s = {local_latency_s_assumed},
                             .bandwidth_bytes_s = {local_bandwidth_assumed},
                             .receive_s = {AssumedMessageCosts{}.image_message_s}},
                   .domain_labels = {"all"}};
  for (int i = 0; i < count; ++i) table.labels.push_back("Place " + std::to_string(i));
  return table;
}

PlaceTable repeated(PlaceTable const& node, NodeCosts const& network) {
  expect_repeatable(node, network);
  expect_tables(node);
  auto const nodes = static_cast<std::size_t>(network.nodes);
  auto const each = node.domains.size();
  int const groups_each = groups_of_each(node.domains, network.nodes);
  PlaceTable all{.latency_source = node.latency_source, .bandwidth_source = node.bandwidth_source};
  for (int number = 0; number < network.nodes; ++number) {
    std::string const prefix = "node " + std::to_string(number) + " ";
    int const first = number * static_cast<int>(each);
    for (Place place : node.places) {
      place.domain += first;
      all.places.push_back(place);
    }
    for (Domain domain : node.domains) {
      domain.node = number;
      // Groups of each copy have numbers of their own, as Places asks for.
      for (int& group : domain.groups) group += number * groups_each;
      all.domains.push_back(std::move(domain));
    }
    for (std::string const& label : node.labels) all.labels.push_back(prefix + label);
    for (std::string const& label : node.domain_labels) all.domain_labels.push_back(prefix + label);
  }
  std::vector<double> const& receive_within =
      node.costs.receive_s.empty() ? node.costs.latency_s : node.costs.receive_s;
  for (std::size_t from = 0; from < nodes * each; ++from) {
    for (std::size_t to = 0; to < nodes * each; ++to) {
      std::size_t const within = (from % each) * each + to % each;
      std::size_t const between = (from / each) * nodes + to / each;
      bool const is_same = from / each == to / each;
      all.costs.latency_s.push_back(is_same ? node.costs.latency_s[within]
                                            : network.latency_s[between]);
      // Of networks the receiver's time is not told: it is the latency then, as in DomainCosts.
      all.costs.receive_s.push_back(is_same ? receive_within[within] : network.latency_s[between]);
      all.costs.bandwidth_bytes_s.push_back(is_same ? node.costs.bandwidth_bytes_s[within]
                                                    : network.bandwidth_bytes_s[between]);
    }
  }
  return all;
}

}  // namespace makespan::graph
