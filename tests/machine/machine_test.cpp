// SPDX-License-Identifier: Apache-2.0
// Goal: a machine's tree is right, and what is saved is what is loaded. Method: synthetic machines
// whose shape is given, a file of another machine, and this one.
#include "makespan/machine/machine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "makespan/base/error.hpp"
#include "makespan/machine/affinity.hpp"

namespace makespan::machine {
namespace {

class MachineTest : public testing::Test {
 protected:
  void SetUp() override {
    try {
      static_cast<void>(Machine::synthetic("core:1 pu:1"));
    } catch (NotConfigured const&) {
      GTEST_SKIP() << "this build is without hwloc";
    }
  }
};

std::size_t count(Machine const& machine, PlaceKind kind) {
  return places_of(machine.topology(), kind).size();
}

TopologyObject const& at(Machine const& machine, int place) {
  return machine.topology().places[static_cast<std::size_t>(place)];
}

// hwloc would take hours over it, and hear no Ctrl-C.
TEST_F(MachineTest, synthetic_machines_without_end_are_refused) {
  for (char const* const text :
       {"package:1000 core:1000 pu:1", "core:8193", "l3:100 core:100(a=1) 1",
        "core:99999999999999999999", "core:0x4000", "package:1000core:1000pu:1"}) {
    try {
      static_cast<void>(Machine::synthetic(text));
      FAIL() << text;
    } catch (InputError const& error) {
      EXPECT_NE(std::string(error.what()).find("more than 8192 processing units"),
                std::string::npos)
          << error.what();
    }
  }
  EXPECT_EQ(count(Machine::synthetic("l3:1 core:010 pu:1"), PlaceKind::core), 8);
}

// The machines of L. L. Pilla and others, "Load Balancing for Parallel Multi-core Machines with
// Non-Uniform Communication Costs": 4 NUMA nodes of 8 cores, and 8 of 6.
TEST_F(MachineTest, synthetic_machines_have_the_shape_that_is_asked_for) {
  for (auto const& [nodes, cores] : {std::pair{4, 8}, std::pair{8, 6}}) {
    Machine const machine = Machine::synthetic("package:" + std::to_string(nodes) +
                                               " numa:1 core:" + std::to_string(cores) + " pu:1");

    EXPECT_EQ(count(machine, PlaceKind::package), nodes);
    EXPECT_EQ(count(machine, PlaceKind::numa_node), nodes);
    EXPECT_EQ(count(machine, PlaceKind::core), nodes * cores);
    EXPECT_EQ(count(machine, PlaceKind::pu), nodes * cores);
    EXPECT_EQ(at(machine, 0).kind, PlaceKind::machine);
    EXPECT_FALSE(machine.is_this_one());
    for (int const package : places_of(machine.topology(), PlaceKind::package)) {
      EXPECT_EQ(cpus_within(machine.topology(), package).size(), cores);
      EXPECT_EQ(local_memory(machine.topology(), package).size(), 1U);
    }
  }
}

TEST_F(MachineTest, sizes_are_in_bytes) {
  Machine const machine = Machine::synthetic("numa:2(memory=4GiB) l3:1(size=8MiB) core:2 pu:2");

  EXPECT_EQ(at(machine, places_of(machine.topology(), PlaceKind::numa_node)[1]).bytes,
            std::int64_t{4} << 30);
  EXPECT_EQ(at(machine, places_of(machine.topology(), PlaceKind::cache)[0]).bytes, 8 << 20);
}

TEST_F(MachineTest, this_one_has_the_cores_that_the_process_may_use) {
  Machine const machine = Machine::this_one();

  EXPECT_TRUE(machine.is_this_one());
  EXPECT_TRUE(std::ranges::includes(cpus_within(machine.topology(), 0), allowed_cores()));
  EXPECT_GE(count(machine, PlaceKind::numa_node), 1U);
}

// As hwloc writes them of a processor with performance and efficiency cores.
TEST_F(MachineTest, knows_kinds_of_cores) {
  std::string text = Machine::synthetic("package:1 core:4 pu:1").xml();
  auto const end = text.rfind("</topology>");
  ASSERT_NE(end, std::string::npos);
  text.insert(end,
              "<cpukind cpuset=\"0x00000003\" forced_efficiency=\"1\"/>"
              "<cpukind cpuset=\"0x0000000c\" forced_efficiency=\"0\"/>");

  Machine const machine = Machine::from_xml(text, "a processor of two kinds");

  std::vector<int> kinds;
  for (int const pu : places_of(machine.topology(), PlaceKind::pu)) {
    kinds.push_back(at(machine, pu).core_kind);
  }
  EXPECT_EQ(kinds, (std::vector{1, 1, 0, 0})) << "by rising efficiency, as hwloc numbers them";
}

TEST_F(MachineTest, keeps_matrices_when_it_is_saved_and_loaded) {
  Machine machine = Machine::synthetic("package:2 core:2 pu:1");
  auto const cores = places_of(machine.topology(), PlaceKind::core);
  auto const packages = places_of(machine.topology(), PlaceKind::package);
  auto const memories = places_of(machine.topology(), PlaceKind::numa_node);
  CostMatrix const square{.name = std::string(core_latency_name),
                          .kind = CostKind::latency,
                          .from = cores,
                          .to = cores,
                          .values = {0, 30e-9, 90e-9, 91e-9, 30e-9, 0, 92e-9, 93e-9, 90e-9, 92e-9,
                                     0, 31e-9, 91e-9, 93e-9, 31e-9, 0}};
  CostMatrix const between{.name = std::string(memory_copy_name),
                           .kind = CostKind::bandwidth,
                           .from = packages,
                           .to = memories,
                           .values = {4e10, 2e10}};

  machine.add(square);
  machine.add(between);
  Machine const loaded = Machine::from_xml(machine.xml(), "a text");

  EXPECT_EQ(loaded.topology(), machine.topology());
  ASSERT_EQ(loaded.topology().matrices.size(), 2U);
  CostMatrix const& latency = *find_matrix(loaded.topology(), core_latency_name);
  EXPECT_EQ(latency.from, cores);
  EXPECT_EQ(latency.to, cores);
  EXPECT_EQ(latency.kind, CostKind::latency);
  EXPECT_NEAR(latency.at(1, 3), 93e-9, 0.5e-12);
  EXPECT_EQ(latency.at(2, 2), 0.0);
}

TEST_F(MachineTest, keeps_a_matrix_between_two_sets_of_places) {
  Machine machine = Machine::synthetic("package:2 numa:1 core:2 pu:1");
  auto const packages = places_of(machine.topology(), PlaceKind::package);
  auto const memories = places_of(machine.topology(), PlaceKind::numa_node);
  CostMatrix const matrix{.name = std::string(memory_copy_name),
                          .kind = CostKind::bandwidth,
                          .from = packages,
                          .to = memories,
                          .values = {4e10, 2e10, 1e10, 3e10}};

  machine.add(matrix);
  Machine const loaded = Machine::from_xml(machine.xml(), "a text");

  ASSERT_EQ(loaded.topology().matrices.size(), 1U);
  EXPECT_EQ(loaded.topology().matrices[0], matrix);
}

TEST_F(MachineTest, leaves_out_places_from_which_nothing_was_measured) {
  Machine machine = Machine::synthetic("package:2 numa:1 core:2 pu:1");
  auto const packages = places_of(machine.topology(), PlaceKind::package);
  auto const memories = places_of(machine.topology(), PlaceKind::numa_node);

  machine.add({.name = "makespan:m",
               .kind = CostKind::bandwidth,
               .from = packages,
               .to = memories,
               .values = {0, 0, 1e10, 3e10}});

  CostMatrix const& kept = machine.topology().matrices.at(0);
  EXPECT_EQ(kept.from, std::vector<int>{packages[1]});
  EXPECT_EQ(kept.to, memories);
  EXPECT_EQ(kept.values, (std::vector{1e10, 3e10}));
}

TEST_F(MachineTest, a_new_matrix_takes_the_place_of_one_of_its_name) {
  Machine machine = Machine::synthetic("core:2 pu:1");
  auto const cores = places_of(machine.topology(), PlaceKind::core);
  auto const matrix = [&](double value) {
    return CostMatrix{.name = "makespan:x",
                      .kind = CostKind::latency,
                      .from = cores,
                      .to = cores,
                      .values = {0, value, value, 0}};
  };

  machine.add(matrix(1e-9));
  machine.add(matrix(2e-9));

  ASSERT_EQ(machine.topology().matrices.size(), 1U);
  EXPECT_NEAR(machine.topology().matrices[0].at(0, 1), 2e-9, 1e-21);
}

TEST_F(MachineTest, matrices_of_others_keep_their_unit) {
  Machine machine = Machine::synthetic("numa:2 core:1 pu:1");
  auto const nodes = places_of(machine.topology(), PlaceKind::numa_node);
  CostMatrix const matrix{.name = "NUMALatency",
                          .kind = CostKind::latency,
                          .from = nodes,
                          .to = nodes,
                          .values = {10, 21, 21, 10}};

  machine.add(matrix);

  EXPECT_EQ(*find_matrix(machine.topology(), "NUMALatency"), matrix);
}

TEST_F(MachineTest, refuses_a_matrix_over_one_place) {
  Machine machine = Machine::synthetic("core:2 pu:1");

  EXPECT_THROW(machine.add({.name = "makespan:x",
                            .kind = CostKind::latency,
                            .from = {1},
                            .to = {1},
                            .values = {1e-9}}),
               InputError);
  EXPECT_TRUE(machine.topology().matrices.empty());
}

TEST_F(MachineTest, keeps_the_matrix_that_a_refused_one_would_replace) {
  Machine machine = Machine::synthetic("core:2 pu:1");
  auto const cores = places_of(machine.topology(), PlaceKind::core);
  CostMatrix matrix{.name = "makespan:x",
                    .kind = CostKind::latency,
                    .from = cores,
                    .to = cores,
                    .values = {0, 1e-9, 1e-9, 0}};
  machine.add(matrix);
  // Between two sets, of which nothing was measured.
  matrix.to = {0};
  matrix.values = {0, 0};

  EXPECT_THROW(machine.add(matrix), InputError);
  EXPECT_EQ(machine.topology().matrices.size(), 1U);
  EXPECT_EQ(Machine::from_xml(machine.xml(), "it").topology().matrices.size(), 1U);
}

// Each as a caller may get it wrong; see cost_matrix_test.cpp for all.
TEST_F(MachineTest, refuses_a_matrix_that_is_none_and_stays_as_it_is) {
  Machine machine = Machine::synthetic("core:2 pu:1");
  auto const cores = places_of(machine.topology(), PlaceKind::core);
  CostMatrix const good{.name = "makespan:x",
                        .kind = CostKind::latency,
                        .from = cores,
                        .to = cores,
                        .values = {0, 1e-9, 1e-9, 0}};
  machine.add(good);
  Topology const before = machine.topology();
  CostMatrix too_few = good;
  too_few.values.pop_back();
  CostMatrix too_many = good;
  too_many.to = {0};
  CostMatrix without_columns = good;
  without_columns.to.clear();
  CostMatrix elsewhere = good;
  elsewhere.to = {1000};
  elsewhere.values = {1e-9, 1e-9};
  CostMatrix negative = good;
  negative.values[1] = -1e-9;
  CostMatrix endless = good;
  endless.values[1] = 1e9;  // seconds

  for (CostMatrix const& bad : {too_few, too_many, without_columns, elsewhere, negative, endless}) {
    EXPECT_THROW(machine.add(bad), InputError);
    EXPECT_EQ(machine.topology(), before);
    EXPECT_EQ(Machine::from_xml(machine.xml(), "it").topology(), before);
  }
}

TEST_F(MachineTest, takes_sizes_that_no_memory_has_for_the_largest) {
  std::string text = Machine::synthetic("numa:1(memory=4096) core:1 pu:1").xml();
  std::string const size = "local_memory=\"4096\"";
  auto const at = text.find(size);
  ASSERT_NE(at, std::string::npos) << text;
  text.replace(at, size.size(), "local_memory=\"18446744073709551615\"");

  Topology const topology = Machine::from_xml(text, "it").topology();

  int const node = places_of(topology, PlaceKind::numa_node).front();
  EXPECT_EQ(topology.places[static_cast<std::size_t>(node)].bytes,
            std::numeric_limits<std::int64_t>::max());
}

TEST_F(MachineTest, knows_gpus_and_where_they_hang) {
  Machine const machine = Machine::from_file(std::string(TEST_DATA) + "/gpu_node.xml");

  Topology const& topology = machine.topology();
  auto const gpus = places_of(topology, PlaceKind::gpu);
  ASSERT_EQ(gpus.size(), 4U);
  std::vector<int> packages;
  for (int const gpu : gpus)
    packages.push_back(at(machine, *find_around(topology, gpu, PlaceKind::package)).index);
  EXPECT_EQ(packages, (std::vector<int>{0, 0, 1, 1}));
  EXPECT_EQ(label_of(topology, gpus[3]), "GPU 3");
  EXPECT_EQ(at(machine, gpus[0]).name, "NVIDIA A100-SXM4-40GB");
  EXPECT_EQ(at(machine, gpus[0]).bus, "0000:03:00.0");
  EXPECT_EQ(at(machine, 0).bus, "");
}

TEST_F(MachineTest, keeps_a_matrix_between_cores_and_gpus) {
  Machine machine = Machine::from_file(std::string(TEST_DATA) + "/gpu_node.xml");
  CostMatrix const matrix{.name = std::string(gpu_upload_name),
                          .kind = CostKind::bandwidth,
                          .from = places_of(machine.topology(), PlaceKind::package),
                          .to = places_of(machine.topology(), PlaceKind::gpu),
                          .values = {5e10, 5e10, 3e10, 3e10, 3e10, 3e10, 5e10, 5e10}};

  machine.add(matrix);
  Machine const loaded = Machine::from_xml(machine.xml(), "a text");

  auto const* const found = find_matrix(loaded.topology(), gpu_upload_name);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(*found, matrix);
}

// A fuzz target found it: of the whole machine one attribute has another name. Another hwloc than
// 2.9 may read it.
TEST_F(MachineTest, refuses_a_file_over_which_hwloc_crashes) {
  std::string text = Machine::synthetic("package:2 numa:1 l3:1 core:2 pu:1").xml();
  text[text.find("complete_nodeset")] = 'b';

  try {
    static_cast<void>(Machine::from_xml(text, "a text"));
  } catch (InputError const& error) {
    EXPECT_NE(std::string(error.what()).find("a text (it is damaged: hwloc crashes"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(MachineTest, says_what_it_cannot_read) {
  EXPECT_THROW(static_cast<void>(Machine::synthetic("core:2 numbug:7")), InputError);
  EXPECT_THROW(static_cast<void>(Machine::from_xml("<topology", "a text")), InputError);
  EXPECT_THROW(static_cast<void>(Machine::from_file("/no/such/file.xml")), InputError);
  EXPECT_THROW(static_cast<void>(Machine::from_file("/")), InputError);
}

}  // namespace
}  // namespace makespan::machine
