// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which places of a machine's tree are places of a graph, and which their domains.

#include <cstddef>
#include <vector>

#include "makespan/graph/model/places.hpp"

namespace makespan::graph {

// Numbers of the tree's places, but for `place_domain`.
struct MachineLayout {
  std::vector<int> places{};        // those that are no GPUs
  std::vector<int> place_domain{};  // of each of these: a number of `domains`
  std::vector<int> domains{};       // GPUs last
  std::vector<Domain> groups{};     // by domain
  std::size_t host_domains{};       // that are no GPUs
  // By place of the tree the nearest domain that it is part of, or else those that are parts of it;
  // a NUMA node as what it hangs on.
  std::vector<std::vector<int>> domains_at{};
};

}  // namespace makespan::graph
