// SPDX-License-Identifier: Apache-2.0
#pragma once

// A machine by hand, for tests.

#include <map>
#include <string>

#include "makespan/machine/topology.hpp"

namespace makespan::machine {

// Two packages; each has memory, and a cache over two cores with one PU each; a GPU on the second.
// The system counts PUs across packages. Numbers of places:
//
//   0 Machine
//   1, 8 Package    2, 9 NUMANode    3, 10 L3    4, 6, 11, 13 Core    5, 7, 12, 14 PU    15 GPU
inline Topology two_packages() {
  using enum PlaceKind;
  Topology topology;
  auto const add = [&](PlaceKind kind, int parent, char const* type, int os_index = -1) {
    topology.places.push_back({.kind = kind,
                               .parent = parent,
                               .type = type,
                               .os_index = os_index,
                               .id = topology.places.size() + 1});
    return static_cast<int>(topology.places.size()) - 1;
  };
  int const root = add(machine, -1, "Machine");
  for (int side = 0; side < 2; ++side) {
    int const socket = add(package, root, "Package");
    topology.places[static_cast<std::size_t>(add(numa_node, socket, "NUMANode", side))].bytes =
        std::int64_t{64} << 30;
    int const shared = add(cache, socket, "L3");
    topology.places[static_cast<std::size_t>(shared)].bytes = std::int64_t{32} << 20;
    for (int i = 0; i < 2; ++i) add(pu, add(core, shared, "Core"), "PU", 2 * i + side);
    if (side == 1) add(gpu, socket, "GPU");
  }
  std::map<std::string, int> seen;
  for (TopologyObject& place : topology.places) place.index = seen[place.type]++;
  return topology;
}

}  // namespace makespan::machine
