// SPDX-License-Identifier: Apache-2.0
// Goal: a machine's cores, NUMA nodes or packages become places whose costs are what was measured.
// Method: the machine of two packages, with matrices by hand whose medians are known.
#include "makespan/graph/places_of_machine.hpp"

#include <gtest/gtest.h>

#include "machine/hand_made_topology.hpp"
#include "makespan/base/error.hpp"
#include "makespan/graph/message_matrices.hpp"
#include "makespan/graph/model/assumed_message_costs.hpp"

namespace makespan::graph {
namespace {

using machine::CostKind;
using machine::CostMatrix;
using machine::PlaceKind;
using machine::Topology;

constexpr double nano = 1e-9;

// Between cores 0 and 1 of a package 30 and 32 ns, across 90 ns.
CostMatrix core_latency() {
  double const far = 90 * nano;
  return {.name = std::string(machine::core_latency_name),
          .kind = CostKind::latency,
          .from = {4, 6, 11, 13},
          .to = {4, 6, 11, 13},
          .values = {0, 30 * nano, far, far, 30 * nano, 0, far, far,  //
                     far, far, 0, 32 * nano, far, far, 32 * nano, 0}};
}

CostMatrix between_packages(std::string_view name, CostKind kind, std::vector<double> values) {
  return {.name = std::string(name),
          .kind = kind,
          .from = {1, 8},
          .to = {2, 9},
          .values = std::move(values)};
}

TEST(PlacesOfMachine, are_its_cores_in_the_domains_of_their_memory) {
  PlaceTable const table = places_of_machine(machine::two_packages(), {});
  Places const places = table.to_places();

  EXPECT_EQ(places.count(), 4);
  EXPECT_EQ(places.domains(), 2);
  EXPECT_EQ(std::vector(places.in(1).begin(), places.in(1).end()), (std::vector{2, 3}));
  EXPECT_EQ(table.labels, (std::vector<std::string>{"Core 0", "Core 1", "Core 2", "Core 3"}));
  EXPECT_EQ(table.domain_labels, (std::vector<std::string>{"Package 0", "Package 1"}));
}

TEST(PlacesOfMachine, cost_what_is_assumed_where_nothing_was_measured) {
  PlaceTable const table = places_of_machine(machine::two_packages(), {});
  Places const places = table.to_places();

  EXPECT_EQ(table.latency_source, assumed);
  EXPECT_EQ(table.bandwidth_source, assumed);
  EXPECT_DOUBLE_EQ(places.latency_s(0, 0), local_latency_s_assumed);
  EXPECT_DOUBLE_EQ(places.latency_s(0, 1), local_latency_s_assumed * remote_factor_assumed);
  EXPECT_DOUBLE_EQ(places.seconds_per_byte(0, 1), remote_factor_assumed / local_bandwidth_assumed);
}

TEST(PlacesOfMachine, take_the_median_over_cores) {
  Topology topology = machine::two_packages();
  topology.matrices = {core_latency()};

  PlaceTable const table = places_of_machine(topology, {});

  EXPECT_EQ(table.latency_source, machine::core_latency_name);
  EXPECT_EQ(table.costs.latency_s, (std::vector{30 * nano, 90 * nano, 90 * nano, 32 * nano}));
}

// What the cores lack, memory says by its factor: 1.5 times local, which is 30 ns between cores.
TEST(PlacesOfMachine, fill_gaps_by_the_factor_of_the_next_source) {
  Topology topology = machine::two_packages();
  CostMatrix cores = core_latency();
  for (double& value : cores.values) value = value < 60 * nano ? value : 0.0;
  cores.values[11] = cores.values[14] = 30 * nano;
  topology.matrices = {cores, between_packages(machine::memory_latency_name, CostKind::latency,
                                               {100 * nano, 150 * nano, 180 * nano, 100 * nano})};

  Places const places = places_of_machine(topology, {}).to_places();

  EXPECT_DOUBLE_EQ(places.latency_s(0, 0), 30 * nano);
  // Package 1 waits 180 ns for the memory of package 0.
  EXPECT_DOUBLE_EQ(places.latency_s(0, 1), 54 * nano);
  EXPECT_DOUBLE_EQ(places.latency_s(1, 0), 45 * nano);
  EXPECT_DOUBLE_EQ(places.nuco_factor(0, 1), 1.8);
}

TEST(PlacesOfMachine, believe_the_firmware_where_nothing_was_measured) {
  Topology topology = machine::two_packages();
  topology.matrices = {{.name = "NUMALatency",
                        .kind = CostKind::latency,
                        .from = {2, 9},
                        .to = {2, 9},
                        .values = {10, 32, 32, 10}}};

  PlaceTable const table = places_of_machine(topology, {});

  EXPECT_EQ(table.latency_source, "NUMALatency");
  EXPECT_DOUBLE_EQ(table.costs.latency_s[0], local_latency_s_assumed);
  EXPECT_DOUBLE_EQ(table.costs.latency_s[1], 3.2 * local_latency_s_assumed);
}

// 40 GB/s are read and written by two cores: a message comes at 10 GB/s.
TEST(PlacesOfMachine, share_the_bandwidth_of_their_memory) {
  Topology topology = machine::two_packages();
  topology.matrices = {
      between_packages(machine::memory_copy_name, CostKind::bandwidth, {40e9, 20e9, 16e9, 40e9})};

  PlaceTable const by_core = places_of_machine(topology, {});
  PlaceTable const by_node = places_of_machine(topology, {.grain = PlaceGrain::numa_node});

  EXPECT_EQ(by_core.bandwidth_source, machine::memory_copy_name);
  EXPECT_EQ(by_core.costs.bandwidth_bytes_s, (std::vector{10e9, 4e9, 5e9, 10e9}));
  EXPECT_EQ(by_node.costs.bandwidth_bytes_s, (std::vector{20e9, 8e9, 10e9, 20e9}));
}

// A package with two L3, each over two cores; NUMA node 2 hangs on the package.
Topology two_caches() {
  Topology topology;
  auto const add = [&](PlaceKind kind, int parent, char const* type, int os_index = -1) {
    topology.places.push_back({.kind = kind, .parent = parent, .type = type, .os_index = os_index});
    return static_cast<int>(topology.places.size()) - 1;
  };
  int const package = add(PlaceKind::package, add(PlaceKind::machine, -1, "Machine"), "Package");
  add(PlaceKind::numa_node, package, "NUMANode", 0);
  for (int cache = 0; cache < 2; ++cache) {
    int const shared = add(PlaceKind::cache, package, "L3");
    topology.places.back().index = cache;
    for (int core = 0; core < 2; ++core) {
      add(PlaceKind::pu, add(PlaceKind::core, shared, "Core"), "PU", 2 * cache + core);
    }
  }
  return topology;
}

TEST(PlacesOfMachine, are_in_the_domains_of_their_caches) {
  Topology topology = two_caches();
  double const far = 150 * nano;
  topology.matrices = {{.name = std::string(machine::core_latency_name),
                        .kind = CostKind::latency,
                        .from = {4, 6, 9, 11},
                        .to = {4, 6, 9, 11},
                        .values = {0, 30 * nano, far, far, 30 * nano, 0, far, far,  //
                                   far, far, 0, 30 * nano, far, far, 30 * nano, 0}},
                       // Of the cores of the package, whatever their cache.
                       {.name = std::string(machine::memory_copy_name),
                        .kind = CostKind::bandwidth,
                        .from = {1},
                        .to = {2},
                        .values = {40e9}}};

  PlaceTable const table = places_of_machine(topology, {});
  Places const places = table.to_places();

  EXPECT_EQ(table.domain_labels, (std::vector<std::string>{"L3 0", "L3 1"}));
  EXPECT_EQ(places.levels(), 1);
  EXPECT_EQ(table.costs.latency_s, (std::vector{30 * nano, far, far, 30 * nano}));
  EXPECT_EQ(table.costs.bandwidth_bytes_s, (std::vector(4, 5e9)));
  // What a message takes of its receiver is assumed, and the factor measured.
  EXPECT_DOUBLE_EQ(places.receive_s(0, 0), AssumedMessageCosts{}.image_message_s);
  EXPECT_DOUBLE_EQ(places.receive_s(0, 1), 5 * AssumedMessageCosts{}.image_message_s);
}

TEST(PlacesOfMachine, cost_what_messages_took) {
  Topology topology = two_caches();
  std::vector<machine::CorePlace> const cores{{4, 0}, {6, 1}, {9, 2}, {11, 3}};
  topology.matrices = message_matrices(
      topology, cores,
      {{{.nearness = Nearness::l3, .is_in_image = true},
        {.latency_s = 300 * nano, .send_s = 200 * nano, .receive_s = 70 * nano, .byte_s = 4e-11}},
       {{.nearness = Nearness::numa_node, .is_in_image = true},
        {.latency_s = 600 * nano, .send_s = 210 * nano, .receive_s = 90 * nano, .byte_s = 8e-11}}});

  PlaceTable const table = places_of_machine(topology, {});

  EXPECT_EQ(table.latency_source, machine::message_latency_name);
  EXPECT_EQ(table.bandwidth_source, machine::message_bandwidth_name);
  EXPECT_EQ(table.costs.latency_s, (std::vector{300 * nano, 600 * nano, 600 * nano, 300 * nano}));
  EXPECT_EQ(table.costs.receive_s, (std::vector{70 * nano, 90 * nano, 90 * nano, 70 * nano}));
  EXPECT_DOUBLE_EQ(table.costs.bandwidth_bytes_s[1], 1.0 / 8e-11);
}

TEST(PlacesOfMachine, can_be_larger_than_a_core) {
  Topology topology = machine::two_packages();
  topology.matrices = {core_latency()};
  for (PlaceGrain const grain : {PlaceGrain::numa_node, PlaceGrain::package}) {
    PlaceTable const table = places_of_machine(topology, {.grain = grain});

    EXPECT_EQ(table.labels, (std::vector<std::string>{"Package 0", "Package 1"}));
    EXPECT_EQ(table.places[1], (Place{.domain = 1}));
    EXPECT_DOUBLE_EQ(table.costs.latency_s[1], 90 * nano);
  }
}

TEST(PlacesOfMachine, are_as_fast_as_they_have_cores) {
  Topology topology = machine::two_packages();
  topology.places.resize(15);  // without the GPU
  topology.places.pop_back();  // and the PU of the last core
  topology.places.pop_back();  // and that core

  PlaceTable const table = places_of_machine(topology, {.grain = PlaceGrain::package});

  EXPECT_EQ(table.places[0].speed, Speed{1.0});
  EXPECT_EQ(table.places[1].speed, Speed{0.5});
}

TEST(PlacesOfMachine, are_PUs_where_no_cores_are_known) {
  Topology topology = machine::two_packages();
  for (machine::TopologyObject& place : topology.places) {
    if (place.kind == machine::PlaceKind::core) place.kind = machine::PlaceKind::group;
  }

  EXPECT_EQ(places_of_machine(topology, {}).labels[3], "PU 3");
}

TEST(PlacesOfMachine, have_GPUs_when_asked) {
  Topology topology = machine::two_packages();
  topology.matrices = {core_latency(),
                       {.name = std::string(machine::gpu_latency_name),
                        .kind = CostKind::latency,
                        .from = {1, 8},
                        .to = {15},
                        .values = {7e-6, 5e-6}},
                       {.name = std::string(machine::gpu_upload_name),
                        .kind = CostKind::bandwidth,
                        .from = {1, 8},
                        .to = {15},
                        .values = {20e9, 0.0}}};

  PlaceTable const table = places_of_machine(topology, {.gpus = GpuPlaces::each});
  Places const places = table.to_places();

  EXPECT_EQ(places.count(), 5);
  EXPECT_EQ(places[4], (Place{.kind = 1, .domain = 2}));
  EXPECT_EQ(table.labels[4], "GPU 0");
  EXPECT_DOUBLE_EQ(places.latency_s(0, 2), 7e-6);
  EXPECT_DOUBLE_EQ(places.latency_s(2, 1), 5e-6);
  EXPECT_DOUBLE_EQ(places.latency_s(2, 2), 5e-6);
  EXPECT_DOUBLE_EQ(places.seconds_per_byte(1, 2), 1.0 / 20e9);  // as from the other package
  EXPECT_DOUBLE_EQ(places.seconds_per_byte(2, 0), 1.0 / gpu_bandwidth_assumed);
  EXPECT_DOUBLE_EQ(places.latency_s(0, 1), 90 * nano);
}

// A file may name any place: a GPU's copies within its memory are not those of a host's.
TEST(PlacesOfMachine, take_no_GPU_for_a_host) {
  Topology topology = machine::two_packages();
  topology.matrices = {{.name = std::string(machine::memory_copy_name),
                        .kind = CostKind::bandwidth,
                        .from = {1, 15},
                        .to = {2, 15},
                        .values = {40e9, 1.0, 1.0, 2.0}}};

  Places const places = places_of_machine(topology, {.gpus = GpuPlaces::each}).to_places();

  EXPECT_DOUBLE_EQ(places.seconds_per_byte(0, 0), 1.0 / 10e9);
  EXPECT_DOUBLE_EQ(places.seconds_per_byte(2, 2), 1.0 / gpu_bandwidth_assumed);
}

TEST(PlacesOfMachine, reach_a_GPU_from_another_by_the_better_host) {
  Topology topology = machine::two_packages();
  machine::TopologyObject second = topology.places.back();
  second.parent = 0;
  second.index = 1;
  topology.places.push_back(second);
  topology.matrices = {{.name = std::string(machine::gpu_latency_name),
                        .kind = CostKind::latency,
                        .from = {1, 8},
                        .to = {15, 16},
                        .values = {7e-6, 3e-6, 5e-6, 6e-6}},
                       {.name = std::string(machine::gpu_upload_name),
                        .kind = CostKind::bandwidth,
                        .from = {1, 8},
                        .to = {15, 16},
                        .values = {20e9, 25e9, 22e9, 10e9}}};

  Places const places = places_of_machine(topology, {.gpus = GpuPlaces::each}).to_places();

  EXPECT_DOUBLE_EQ(places.latency_s(2, 3), 10e-6);
  EXPECT_DOUBLE_EQ(places.seconds_per_byte(2, 3), 1.0 / gpu_bandwidth_assumed);
}

TEST(PlacesOfMachine, need_a_place) {
  Topology topology = machine::two_packages();
  for (machine::TopologyObject& place : topology.places) {
    if (place.kind == machine::PlaceKind::package) place.kind = machine::PlaceKind::group;
  }

  EXPECT_THROW((void)places_of_machine(topology, {.grain = PlaceGrain::package}), InputError);
}

TEST(PlaceGrain, has_names) {
  for (PlaceGrain const grain : {PlaceGrain::core, PlaceGrain::numa_node, PlaceGrain::package}) {
    EXPECT_EQ(place_grain_named(name_of(grain)), grain);
  }
  EXPECT_THROW((void)place_grain_named("nuna"), InputError);
}

}  // namespace
}  // namespace makespan::graph
