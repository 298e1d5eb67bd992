// SPDX-License-Identifier: Apache-2.0
// Goal: a node repeated is a cluster whose nodes differ by their number alone. Method: by hand.
#include "makespan/graph/place_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "makespan/base/error.hpp"

namespace makespan::graph {
namespace {

// Two domains, of two places and of one.
PlaceTable small_node() {
  return {
      .places = {{.domain = 0}, {.domain = 0}, {.speed = Speed{0.5}, .domain = 1}},
      .domains = {Domain{.groups = {0, 5}}, Domain{.groups = {0, 7}}},
      .costs = {.latency_s = {1e-7, 2e-7, 3e-7, 1e-7}, .bandwidth_bytes_s = {4e9, 3e9, 2e9, 1e9}},
      .labels = {"Core 0", "Core 1", "Core 2"},
      .domain_labels = {"Package 0", "Package 1"},
      .latency_source = "measured"};
}

TEST(PlaceTable, of_equal_places_is_one_domain) {
  PlaceTable const table = equal_places_table(3);

  EXPECT_EQ(table.to_places().count(), 3);
  EXPECT_EQ(table.to_places().domains(), 1);
  EXPECT_EQ(table.labels[2], "Place 2");
  EXPECT_THROW((void)equal_places_table(0), InputError);
  EXPECT_THROW((void)equal_places_table((1 << 20) + 1), InputError);
}

TEST(PlaceTable, is_repeated_node_by_node) {
  PlaceTable const table = repeated(
      small_node(),
      {.nodes = 2, .latency_s = {0.0, 5e-6, 7e-6, 0.0}, .bandwidth_bytes_s = {0.0, 2e8, 1e8, 0.0}});
  Places const places = table.to_places();

  EXPECT_EQ(places.count(), 6);
  EXPECT_EQ(places[5], (Place{.speed = Speed{0.5}, .domain = 3}));
  EXPECT_EQ(places.node(1), 0);
  EXPECT_EQ(places.node(2), 1);
  // Groups of another node are others.
  EXPECT_EQ(places.group(0, 2), places.group(0, 3));
  EXPECT_NE(places.group(0, 2), places.group(0, 0));
  EXPECT_NE(places.group(1, 2), places.group(1, 3));
  EXPECT_DOUBLE_EQ(places.latency_s(2, 3), 2e-7);
  EXPECT_DOUBLE_EQ(places.latency_s(3, 2), 3e-7);
  EXPECT_DOUBLE_EQ(places.latency_s(1, 2), 5e-6);
  EXPECT_DOUBLE_EQ(places.latency_s(2, 1), 7e-6);
  EXPECT_DOUBLE_EQ(places.seconds_per_byte(3, 0), 1e-8);
  EXPECT_EQ(table.labels[4], "node 1 Core 1");
  EXPECT_EQ(table.domain_labels[3], "node 1 Package 1");
  EXPECT_EQ(table.latency_source, "measured");
}

TEST(PlaceTable, refuses_what_cannot_be_repeated) {
  PlaceTable const cluster = repeated(small_node(), equal_nodes(2));

  EXPECT_THROW((void)repeated(small_node(), equal_nodes(0)), InputError);
  EXPECT_THROW((void)repeated(small_node(), {.nodes = 2}), InputError);
  EXPECT_THROW((void)repeated(small_node(), equal_nodes(1 << 12)), InputError);
  EXPECT_THROW((void)repeated(cluster, equal_nodes(2)), InputError);
}

TEST(PlaceTable, refuses_a_node_whose_tables_are_of_another_shape) {
  for (auto const table :
       {&DomainCosts::latency_s, &DomainCosts::bandwidth_bytes_s, &DomainCosts::receive_s}) {
    PlaceTable node = small_node();
    (node.costs.*table).assign(3, 1.0);
    EXPECT_THAT([&] { (void)repeated(node, equal_nodes(2)); },
                testing::ThrowsMessage<InputError>(testing::HasSubstr("a node of 2 domains")));
  }
  for (int const domain : {-1, 2, std::numeric_limits<int>::max()}) {
    PlaceTable node = small_node();
    node.places[1].domain = domain;
    EXPECT_THAT([&] { (void)repeated(node, equal_nodes(2)); },
                testing::ThrowsMessage<InputError>(
                    testing::HasSubstr("a place of domain " + std::to_string(domain))));
  }
  PlaceTable node = small_node();
  node.domains[1].groups[1] = std::numeric_limits<int>::max();
  EXPECT_THROW((void)repeated(node, equal_nodes(1)), InputError);
  node.domains[1].groups[1] = std::numeric_limits<int>::max() / 2;
  EXPECT_THROW((void)repeated(node, equal_nodes(2)), InputError);
}

}  // namespace
}  // namespace makespan::graph
