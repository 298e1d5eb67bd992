// SPDX-License-Identifier: Apache-2.0
#include "makespan/machine/topology.hpp"

#include <algorithm>
#include <cstddef>

#include "makespan/base/contracts.hpp"

namespace makespan::machine {

TopologyObject const& place_at(Topology const& topology, int place) {
  MAKESPAN_EXPECT(place >= 0 && place < std::ssize(topology.places));
  return topology.places[static_cast<std::size_t>(place)];
}

std::string_view name_of(PlaceKind kind) {
  switch (kind) {
    case PlaceKind::machine:
      return "machine";
    case PlaceKind::package:
      return "package";
    case PlaceKind::die:
      return "die";
    case PlaceKind::group:
      return "group";
    case PlaceKind::numa_node:
      return "numa_node";
    case PlaceKind::cache:
      return "cache";
    case PlaceKind::core:
      return "core";
    case PlaceKind::pu:
      return "pu";
    case PlaceKind::gpu:
      return "gpu";
    case PlaceKind::device:
      return "device";
  }
  return "";
}

std::string label_of(Topology const& topology, int place) {
  TopologyObject const& one = place_at(topology, place);
  return one.type + " " + std::to_string(one.index);
}

std::vector<int> places_of(Topology const& topology, PlaceKind kind) {
  std::vector<int> found;
  for (int place = 0; place < std::ssize(topology.places); ++place) {
    if (place_at(topology, place).kind == kind) found.push_back(place);
  }
  return found;
}

bool is_within(Topology const& topology, int place, int above) {
  // Numbers fall on the way up, so below `above` it is not on that way.
  while (place > above) place = place_at(topology, place).parent;
  return place == above;
}

std::optional<int> find_around(Topology const& topology, int place, PlaceKind kind) {
  while (place >= 0 && place_at(topology, place).kind != kind)
    place = place_at(topology, place).parent;
  return place < 0 ? std::nullopt : std::optional(place);
}

std::vector<int> cpus_within(Topology const& topology, int place) {
  std::vector<int> cpus;
  for (int const pu : places_of(topology, PlaceKind::pu)) {
    if (is_within(topology, pu, place)) cpus.push_back(place_at(topology, pu).os_index);
  }
  std::ranges::sort(cpus);
  return cpus;
}

std::vector<int> local_memory(Topology const& topology, int place) {
  std::vector<int> const nodes = places_of(topology, PlaceKind::numa_node);
  for (; place >= 0; place = place_at(topology, place).parent) {
    std::vector<int> found;
    std::ranges::copy_if(nodes, std::back_inserter(found),
                         [&](int node) { return place_at(topology, node).parent == place; });
    if (!found.empty()) return found;
  }
  return {};
}

CostMatrix const* find_matrix(Topology const& topology, std::string_view name) {
  auto const found = std::ranges::find(topology.matrices, name, &CostMatrix::name);
  return found == topology.matrices.end() ? nullptr : &*found;
}

}  // namespace makespan::machine
