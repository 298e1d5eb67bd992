// SPDX-License-Identifier: Apache-2.0
// Tables of costs between images, of any shape and values, and a machine repeated by them.
#include <string>
#include <vector>

#include "fuzz/fuzz_input.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/graph/place_table.hpp"

namespace makespan::fuzz::network_tables_target {
namespace {

void repeat_by(std::span<std::byte const> bytes) {
  FuzzInput input(bytes);
  graph::PlaceTable const node = graph::equal_places_table(1 + input.small(3));
  graph::NodeCosts costs;
  if (input.flag()) {
    auto const nodes = input.value<std::int32_t>();
    // Tables of more take as much memory as they should, several times over.
    if (nodes > 512 && nodes <= graph::nodes_max) return;
    costs = graph::equal_nodes(nodes, input.value<double>(), input.value<double>());
  } else {
    std::vector<std::string> hosts(static_cast<std::size_t>(input.small(8)));
    for (std::string& host : hosts) host = std::to_string(input.small(3));
    auto const latencies = input.column<double>();
    auto const bandwidths = input.column<double>();
    costs = graph::node_costs_of(hosts, latencies, bandwidths);
  }
  graph::Places const places = graph::repeated(node, costs).to_places();
  MAKESPAN_ENSURE(places.count() == costs.nodes * std::ssize(node.places));
}

std::vector<Bytes> seeds() {
  std::vector<double> const table{0, 1e-6, 1e-6, 0};
  return {FuzzOutput().small(1).small(1).value(std::int32_t{3}).value(1e-6).value(1e9).bytes(),
          FuzzOutput()
              .small(1)
              .small(0)
              .small(2)
              .small(0)
              .small(1)
              .counted(table)
              .counted(table)
              .bytes()};
}

FuzzTarget const target("network_tables", &repeat_by, &seeds);

}  // namespace
}  // namespace makespan::fuzz::network_tables_target
