// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/places_of_machine.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "makespan/base/error.hpp"
#include "makespan/base/named_entry.hpp"
#include "makespan/graph/detail/machine_costs.hpp"
#include "makespan/graph/detail/machine_layout.hpp"
#include "makespan/graph/detail/thread_places.hpp"

namespace makespan::graph {

namespace {

using machine::PlaceKind;
using machine::Topology;

constexpr int gpu_kind = 1;

struct NamedGrain {
  std::string_view name;
  PlaceGrain grain;
};
constexpr std::array grains{NamedGrain{"core", PlaceGrain::core},
                            NamedGrain{"numa", PlaceGrain::numa_node},
                            NamedGrain{"package", PlaceGrain::package}};

machine::TopologyObject const& at(Topology const& topology, int place) {
  return topology.places[static_cast<std::size_t>(place)];
}

std::vector<int> cores_of(Topology const& topology) {
  std::vector<int> const cores = machine::places_of(topology, PlaceKind::core);
  return cores.empty() ? machine::places_of(topology, PlaceKind::pu) : cores;
}

// What the memory that is local to a place hangs on.
int memory_parent(Topology const& topology, int place) {
  std::vector<int> const nodes = machine::local_memory(topology, place);
  return nodes.empty() ? 0 : at(topology, nodes.front()).parent;
}

// Of a package: itself, or what its memory hangs on where that is wider.
int domain_place(Topology const& topology, int package) {
  std::vector<int> const nodes = machine::places_of(topology, PlaceKind::numa_node);
  bool const has_memory = std::ranges::any_of(
      nodes, [&](int node) { return machine::is_within(topology, node, package); });
  return has_memory ? package : memory_parent(topology, package);
}

std::vector<int> places_by_grain(Topology const& topology, PlaceGrain grain) {
  if (grain == PlaceGrain::core) return cores_of(topology);
  if (grain == PlaceGrain::package) return machine::places_of(topology, PlaceKind::package);
  std::vector<int> places;
  for (int const core : cores_of(topology)) {
    int const parent = memory_parent(topology, core);
    if (std::ranges::find(places, parent) == places.end()) places.push_back(parent);
  }
  return places;
}

std::size_t place_in(std::vector<int>& list, int place) {
  auto const known = std::ranges::find(list, place);
  auto const number = static_cast<std::size_t>(known - list.begin());
  if (known == list.end()) list.push_back(place);
  return number;
}

// Of a core: what of the tree its domain is, and what that is part of, the widest first.
struct CoreDomain {
  int domain;
  std::vector<int> groups;
};

// By core: the deepest level that parts cores without parting them all, or what their memory hangs
// on where no level does.
std::vector<CoreDomain> domains_of_cores(Topology const& topology, std::vector<int> const& cores) {
  std::vector<ThreadPlace> threads;
  threads.reserve(cores.size());
  for (int const core : cores) {
    threads.push_back(thread_place_of(topology, machine::cpus_within(topology, core)));
  }
  ThreadDomains const found = domains_of(threads);
  std::vector<CoreDomain> domains;
  for (std::size_t at = 0; at < cores.size(); ++at) {
    CoreDomain one{.domain = memory_parent(topology, cores[at]),
                   .groups = found.domains[static_cast<std::size_t>(found.domain[at])].groups};
    if (!found.levels.empty() && found.levels.back() != ThreadLevel::numa_node) {
      int const place = threads[at].within[static_cast<std::size_t>(found.levels.back())];
      // A core that has no such cache is a domain of its own.
      one.domain = place >= 0 ? place : cores[at];
    }
    domains.push_back(std::move(one));
  }
  return domains;
}

// The nearest domain that a place is part of; or else the domains that are parts of it.
std::vector<int> domains_at(Topology const& topology, std::vector<int> const& domains, int place) {
  for (int around = place; around >= 0; around = at(topology, around).parent) {
    auto const own = std::ranges::find(domains, around);
    if (own != domains.end()) return {static_cast<int>(own - domains.begin())};
  }
  std::vector<int> parts;
  for (std::size_t domain = 0; domain < domains.size(); ++domain) {
    if (machine::is_within(topology, domains[domain], place)) {
      parts.push_back(static_cast<int>(domain));
    }
  }
  return parts;
}

void add_gpus(Topology const& topology, MachineLayout& layout) {
  std::size_t const levels = layout.groups.front().groups.size();
  // Numbers that no other group has.
  auto next = static_cast<int>(topology.places.size());
  for (int const gpu : machine::places_of(topology, PlaceKind::gpu)) {
    layout.domains.push_back(gpu);
    layout.groups.push_back({.groups = std::vector<int>(levels, next++)});
  }
}

MachineLayout layout_of(Topology const& topology, MachinePlaceOptions const& options) {
  MachineLayout layout{.places = places_by_grain(topology, options.grain)};
  if (layout.places.empty()) {
    throw InputError("places of grain '" + std::string(name_of(options.grain)) + "'",
                     "the machine has none", "choose another grain: core, numa, package");
  }
  std::vector<CoreDomain> cores;
  if (options.grain == PlaceGrain::core) cores = domains_of_cores(topology, layout.places);
  for (std::size_t at = 0; at < layout.places.size(); ++at) {
    int const place = layout.places[at];
    int const domain = options.grain == PlaceGrain::core        ? cores[at].domain
                       : options.grain == PlaceGrain::numa_node ? place
                                                                : domain_place(topology, place);
    auto const number = place_in(layout.domains, domain);
    layout.place_domain.push_back(static_cast<int>(number));
    if (number < layout.groups.size()) continue;
    layout.groups.push_back({});
    if (options.grain == PlaceGrain::core) layout.groups.back().groups = cores[at].groups;
  }
  layout.host_domains = layout.domains.size();
  if (options.gpus == GpuPlaces::each) add_gpus(topology, layout);
  for (int place = 0; place < std::ssize(topology.places); ++place) {
    // A NUMA node is as near as what it hangs on.
    machine::TopologyObject const& one = at(topology, place);
    int const where = one.kind == PlaceKind::numa_node ? one.parent : place;
    layout.domains_at.push_back(domains_at(topology, layout.domains, where));
  }
  return layout;
}

// In proportion to their cores, the largest 1.
std::vector<double> speeds_of(Topology const& topology, MachineLayout const& layout,
                              PlaceGrain grain) {
  std::vector<double> cores(layout.places.size(), grain == PlaceGrain::core ? 1.0 : 0.0);
  if (grain != PlaceGrain::core) {
    for (int const core : cores_of(topology)) {
      auto const own =
          std::ranges::find_if(layout.places, [&, around = memory_parent(topology, core)](int one) {
            return grain == PlaceGrain::numa_node ? one == around
                                                  : machine::is_within(topology, core, one);
          });
      if (own != layout.places.end())
        ++cores[static_cast<std::size_t>(own - layout.places.begin())];
    }
  }
  double const most = *std::ranges::max_element(cores);
  // A package whose cores the tree does not show computes all the same.
  for (double& count : cores) count = most > 0.0 ? std::max(count, 1.0) / most : 1.0;
  return cores;
}

}  // namespace

std::string_view name_of(PlaceGrain grain) {
  return std::ranges::find(grains, grain, &NamedGrain::grain)->name;
}

PlaceGrain place_grain_named(std::string_view name) {
  return entry_named<NamedGrain>("grain of places", grains, name).grain;
}

PlaceTable places_of_machine(Topology const& topology, MachinePlaceOptions const& options) {
  MachineLayout const layout = layout_of(topology, options);
  PlaceTable table{.domains = layout.groups};
  std::vector<double> const speeds = speeds_of(topology, layout, options.grain);
  for (std::size_t i = 0; i < layout.places.size(); ++i) {
    table.places.push_back({.speed = Speed{speeds[i]}, .domain = layout.place_domain[i]});
    table.labels.push_back(machine::label_of(topology, layout.places[i]));
  }
  for (std::size_t domain = 0; domain < layout.domains.size(); ++domain) {
    std::string const label = machine::label_of(topology, layout.domains[domain]);
    table.domain_labels.push_back(label);
    if (domain < layout.host_domains) continue;
    table.places.push_back({.kind = gpu_kind, .domain = static_cast<int>(domain)});
    table.labels.push_back(label);
  }
  set_machine_costs(topology, layout, table);
  return table;
}

}  // namespace makespan::graph
