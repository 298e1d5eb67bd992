// SPDX-License-Identifier: Apache-2.0
#pragma once

// Places of a graph with their names, while they are put together.

#include <string>
#include <string_view>
#include <vector>

#include "makespan/base/quantity.hpp"
#include "makespan/graph/model/places.hpp"
#include "makespan/graph/node_costs.hpp"

namespace makespan::graph {

// Defaults for what was not measured, on the scale of the one machine that we know (AMD EPYC,
// docs/explanation/machine.md): 26 to 31 ns between cores and 147 to 151 ns to memory; two cores
// together copy 33 to 36 GB/s, reading and writing. Another NUMA node of the same host is twice as
// far, as in most tables that firmware gives (10 and 20 or 21). Links to GPUs and networks have not
// been measured by us: PCIe 4.0 and a fabric of 100 Gbit/s are of this order.
inline constexpr double local_latency_s_assumed = 100e-9;
inline constexpr double local_bandwidth_assumed = 8e9;  // bytes per second, a core's
inline constexpr double remote_factor_assumed = 2.0;
inline constexpr double gpu_latency_s_assumed = 10e-6;
inline constexpr double gpu_bandwidth_assumed = 12e9;

// Where costs that were not measured come from.
inline constexpr std::string_view assumed = "assumed";

struct PlaceTable {
  std::vector<Place> places{};
  std::vector<Domain> domains{};
  DomainCosts costs{};
  std::vector<std::string> labels{};         // by place: "Core 3"
  std::vector<std::string> domain_labels{};  // by domain: "Package 0"
  std::string latency_source{assumed};       // the matrix that most of it is from
  std::string bandwidth_source{assumed};

  // Throws InputError as Places.
  [[nodiscard]] Places to_places() const { return Places(places, domains, costs); }
};

// So many places of one domain, with costs that are assumed. Throws InputError below 1 and above
// 2^20. Tested by tests/graph/place_table_test.cpp, as the functions below.
[[nodiscard]] PlaceTable equal_places_table(int count);

// As many equal nodes as `network` has, each like `node`, which is one. Labels get their node's
// number. Throws InputError below 1 node, above 4096 domains in all, on tables of the wrong shape,
// a place of a domain that is not there or groups whose numbers would exceed an int, or if `node`
// is several.
[[nodiscard]] PlaceTable repeated(PlaceTable const& node, NodeCosts const& network);

}  // namespace makespan::graph
