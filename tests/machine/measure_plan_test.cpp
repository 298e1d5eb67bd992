// SPDX-License-Identifier: Apache-2.0
// Goal: every distance of the tree is measured, in few enough pairs. Method: trees by hand.
#include "makespan/machine/measure_plan.hpp"

#include <gtest/gtest.h>

#include <array>

#include "hand_made_topology.hpp"

namespace makespan::machine {
namespace {

// So many packages of so many caches of so many cores, PUs counted through.
Topology tree(int packages, int caches, int cores) {
  Topology topology{.places = {{.kind = PlaceKind::machine, .type = "Machine"}}};
  int cpu = 0;
  auto const add = [&](PlaceKind kind, int parent, int os_index = -1) {
    topology.places.push_back({.kind = kind, .parent = parent, .os_index = os_index});
    return static_cast<int>(topology.places.size()) - 1;
  };
  for (int p = 0; p < packages; ++p) {
    int const package = add(PlaceKind::package, 0);
    add(PlaceKind::numa_node, package, p);
    for (int c = 0; c < caches; ++c) {
      int const cache = add(PlaceKind::cache, package);
      for (int i = 0; i < cores; ++i) add(PlaceKind::pu, add(PlaceKind::core, cache), cpu++);
    }
  }
  return topology;
}

std::vector<int> all_cpus(Topology const& topology) {
  return cpus_within(topology, 0);
}

std::vector<int> cpus_of(MeasurePlan const& plan) {
  std::vector<int> cpus;
  for (CorePlace const& core : plan.cores) cpus.push_back(core.cpu);
  return cpus;
}

TEST(MeasurePlan, takes_every_core_of_a_small_machine) {
  constexpr std::array cpus{0, 1, 2, 3};

  MeasurePlan const plan = plan_of(two_packages(), cpus);

  EXPECT_EQ(plan.cores, (std::vector<CorePlace>{{4, 0}, {6, 2}, {11, 1}, {13, 3}}));
  EXPECT_EQ(plan.core_sets, (std::vector<CoreSet>{{1, {0, 2}}, {8, {1, 3}}}));
  EXPECT_EQ(plan.memories, (std::vector<int>{2, 9}));
  EXPECT_EQ(plan.cycle_bytes, (std::vector<std::size_t>{128 << 20, 128 << 20}));
  EXPECT_EQ(plan.sampling, "");
}

TEST(MeasurePlan, takes_gpus_that_have_an_address) {
  constexpr std::array cpus{0, 1, 2, 3};
  Topology topology = two_packages();
  EXPECT_TRUE(plan_of(topology, cpus).gpus.empty());

  topology.places[15].bus = "0000:3b:00.0";

  EXPECT_EQ(plan_of(topology, cpus).gpus, (std::vector<GpuPlace>{{15, "0000:3b:00.0"}}));
}

TEST(MeasurePlan, leaves_out_cores_that_the_process_may_not_use) {
  constexpr std::array cpus{3};

  MeasurePlan const plan = plan_of(two_packages(), cpus);

  EXPECT_EQ(plan.cores, (std::vector<CorePlace>{{13, 3}}));
  EXPECT_EQ(plan.core_sets, (std::vector<CoreSet>{{8, {3}}}));
  EXPECT_EQ(plan.memories, (std::vector<int>{2, 9}));
}

TEST(MeasurePlan, uses_one_cpu_of_a_core) {
  Topology topology = two_packages();
  topology.places.push_back({.kind = PlaceKind::core, .parent = 10});
  topology.places.push_back({.kind = PlaceKind::pu, .parent = 16, .os_index = 8});
  topology.places.push_back({.kind = PlaceKind::pu, .parent = 16, .os_index = 9});
  constexpr std::array cpus{8, 9};

  EXPECT_EQ(plan_of(topology, cpus).cores, (std::vector<CorePlace>{{16, 8}}));
}

TEST(MeasurePlan, samples_two_cores_of_each_cache_of_a_large_machine) {
  Topology const topology = tree(2, 4, 8);

  MeasurePlan const plan = plan_of(topology, all_cpus(topology));

  EXPECT_EQ(cpus_of(plan),
            (std::vector<int>{0, 1, 8, 9, 16, 17, 24, 25, 32, 33, 40, 41, 48, 49, 56, 57}));
  EXPECT_EQ(plan.sampling, "16 of 64 cores: two cores of each last-level cache");
  EXPECT_EQ(plan.core_sets.at(1).cpus.size(), 32U);
}

TEST(MeasurePlan, samples_two_cores_of_each_node_where_there_are_many_caches) {
  Topology const topology = tree(4, 8, 8);

  MeasurePlan const plan = plan_of(topology, all_cpus(topology));

  EXPECT_EQ(cpus_of(plan), (std::vector<int>{0, 1, 64, 65, 128, 129, 192, 193}));
  EXPECT_EQ(plan.sampling, "8 of 256 cores: two cores of each NUMA node");
}

TEST(MeasurePlan, takes_cores_evenly_where_even_packages_are_many) {
  Topology const topology = tree(64, 1, 2);

  MeasurePlan const plan = plan_of(topology, all_cpus(topology));

  EXPECT_EQ(plan.cores.size(), 32U);
  EXPECT_EQ(cpus_of(plan)[1], 4);
}

// Caches of 32 MiB.
TEST(MeasurePlan, takes_little_of_a_small_memory_and_stays_beyond_the_caches) {
  Topology topology = two_packages();
  constexpr std::array cpus{0};
  auto const taken_of = [&](std::int64_t mib) {
    topology.places[9].bytes = mib << 20;
    std::vector<std::size_t> const bytes = plan_of(topology, cpus).cycle_bytes;
    EXPECT_EQ(bytes[0], std::size_t{128} << 20) << "the other one has room";
    return bytes[1] >> 20;
  };

  EXPECT_EQ(taken_of(3072), 96U) << "a 32nd";
  EXPECT_EQ(taken_of(1024), 64U) << "twice the cache";
  EXPECT_EQ(taken_of(768), 64U) << "a twelfth";
  EXPECT_EQ(taken_of(767), 0U) << "not measured";
  EXPECT_EQ(taken_of(0), 128U) << "not known";
}

}  // namespace
}  // namespace makespan::machine
