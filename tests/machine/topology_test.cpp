// SPDX-License-Identifier: Apache-2.0
// Goal: questions to a tree have the right answers. Method: a tree by hand, of two packages with
// memory, a shared cache and two cores each, and a GPU on the second.
#include "makespan/machine/topology.hpp"

#include <gtest/gtest.h>

#include "hand_made_topology.hpp"

namespace makespan::machine {
namespace {

TEST(Topology, finds_places_of_a_kind_in_the_order_of_the_tree) {
  Topology const topology = two_packages();

  EXPECT_EQ(places_of(topology, PlaceKind::package), (std::vector<int>{1, 8}));
  EXPECT_EQ(places_of(topology, PlaceKind::gpu), (std::vector<int>{15}));
  EXPECT_EQ(places_of(topology, PlaceKind::die), std::vector<int>{});
}

TEST(Topology, labels_count_places_of_a_type) {
  Topology const topology = two_packages();

  EXPECT_EQ(label_of(topology, 0), "Machine 0");
  EXPECT_EQ(label_of(topology, 11), "Core 2");
}

TEST(Topology, knows_what_is_within_what) {
  Topology const topology = two_packages();

  EXPECT_TRUE(is_within(topology, 11, 8));
  EXPECT_TRUE(is_within(topology, 11, 11));
  EXPECT_TRUE(is_within(topology, 11, 0));
  EXPECT_FALSE(is_within(topology, 11, 1));
  EXPECT_FALSE(is_within(topology, 8, 11));
  EXPECT_EQ(find_around(topology, 12, PlaceKind::cache), 10);
  EXPECT_EQ(find_around(topology, 15, PlaceKind::package), 8);
  EXPECT_EQ(find_around(topology, 8, PlaceKind::core), std::nullopt);
}

TEST(Topology, lists_cpus_by_what_the_system_calls_them) {
  Topology const topology = two_packages();

  EXPECT_EQ(cpus_within(topology, 0), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(cpus_within(topology, 8), (std::vector<int>{1, 3}));
}

TEST(Topology, knows_the_memory_that_is_near) {
  Topology const topology = two_packages();

  EXPECT_EQ(local_memory(topology, 11), std::vector<int>{9});
  EXPECT_EQ(local_memory(topology, 15), std::vector<int>{9});
  EXPECT_EQ(local_memory(topology, 0), std::vector<int>{});
}

TEST(Topology, finds_a_matrix_by_name) {
  Topology topology = two_packages();
  topology.matrices = {{.name = "a"}, {.name = "b"}};

  EXPECT_EQ(find_matrix(topology, "b"), &topology.matrices[1]);
  EXPECT_EQ(find_matrix(topology, "c"), nullptr);
}

}  // namespace
}  // namespace makespan::machine
