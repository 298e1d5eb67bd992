// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a machine consists of, as values: a tree of places, and measured costs between them.
//
// Whether it is this machine, one described in a file or one made up, a reader of a Topology need
// not know; machine.hpp makes them.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "makespan/machine/cost_matrix.hpp"

namespace makespan::machine {

enum class PlaceKind {
  machine,
  package,
  die,
  group,      // places that hwloc found to be close to each other
  numa_node,  // memory; it hangs on the place whose cores it is near to, and has nothing below
  cache,
  core,
  pu,  // what the operating system schedules threads on
  gpu,
  device,  // of any other kind: network, disk, …
};

// A place of the tree, an object in hwloc's words. What is not known is empty, 0, or -1 where 0
// means something.
struct TopologyObject {
  PlaceKind kind{};
  int parent{-1};         // place number; -1 of the root alone
  std::string type{};     // as hwloc writes it: "Package", "L3", "NUMANode", "GPU", …
  int index{};            // among the places of its type, from 0, in the order of the tree
  int os_index{-1};       // what the operating system calls it
  std::string name{};     // the model of a processor, what a device is called
  std::string bus{};      // the PCI address of a device, as in "0000:3b:00.0"
  std::int64_t bytes{0};  // memory of a NUMA node, size of a cache
  std::uint64_t id{};     // does not change when the machine is saved and loaded
  int core_kind{-1};      // of a PU: its kind among those of a processor that has several

  friend bool operator==(TopologyObject const&, TopologyObject const&) = default;
};

// Places are numbered by their position: a place comes before all that is below it, and what is
// below it comes before the next place beside it. Place 0 is the whole machine.
struct Topology {
  std::vector<TopologyObject> places{};
  std::vector<CostMatrix> matrices{};  // each name once

  friend bool operator==(Topology const&, Topology const&) = default;
};

// The place of a number, which the caller has checked.
[[nodiscard]] TopologyObject const& place_at(Topology const& topology, int place);

// "package", "numa_node", …
[[nodiscard]] std::string_view name_of(PlaceKind kind);

// "Core 3", "NUMANode 0", "GPU 1".
[[nodiscard]] std::string label_of(Topology const& topology, int place);

// Numbers of all places of a kind, in the order of the tree.
[[nodiscard]] std::vector<int> places_of(Topology const& topology, PlaceKind kind);

// Whether `place` is `above` or below it.
[[nodiscard]] bool is_within(Topology const& topology, int place, int above);

// The nearest place of a kind that `place` is within. Nothing if there is none.
[[nodiscard]] std::optional<int> find_around(Topology const& topology, int place, PlaceKind kind);

// What the operating system calls the PUs within a place, rising.
[[nodiscard]] std::vector<int> cpus_within(Topology const& topology, int place);

// NUMA nodes whose memory is local to a place: those that hang on it, or on the nearest place above
// that has any.
[[nodiscard]] std::vector<int> local_memory(Topology const& topology, int place);

// The matrix of that name; null if there is none.
[[nodiscard]] CostMatrix const* find_matrix(Topology const& topology, std::string_view name);

}  // namespace makespan::machine
