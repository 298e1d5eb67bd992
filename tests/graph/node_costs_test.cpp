// SPDX-License-Identifier: Apache-2.0
// Goal: tables between images become tables between hosts, without gaps. Method: by hand.
#include "makespan/graph/node_costs.hpp"

#include <gtest/gtest.h>

#include <array>

#include "makespan/base/error.hpp"

namespace makespan::graph {
namespace {

TEST(NodeCosts, are_medians_between_hosts) {
  std::array<std::string, 3> const hosts{"b", "a", "b"};
  // Images 0 and 2 share a host: what lies between them says nothing of the network.
  std::array const latency_s{0.0, 2e-6, 1e-7, 3e-6, 0.0, 5e-6, 1e-7, 4e-6, 0.0};
  std::array const bandwidth{0.0, 1e9, 9e9, 2e9, 0.0, 4e9, 9e9, 3e9, 0.0};

  NodeCosts const costs = node_costs_of(hosts, latency_s, bandwidth);

  EXPECT_EQ(costs.nodes, 2);
  EXPECT_DOUBLE_EQ(costs.latency_s[1], 3e-6);         // of 2 and 4 us
  EXPECT_DOUBLE_EQ(costs.latency_s[2], 4e-6);         // of 3 and 5 us
  EXPECT_DOUBLE_EQ(costs.bandwidth_bytes_s[1], 2e9);  // of 1 and 3 GB/s
  EXPECT_DOUBLE_EQ(costs.bandwidth_bytes_s[2], 3e9);  // of 2 and 4 GB/s
}

TEST(NodeCosts, of_unmeasured_pairs_are_typical_or_assumed) {
  std::array<std::string, 3> const hosts{"a", "b", "c"};
  std::array const latency_s{0.0, 4e-6, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  std::array<double, 9> const nothing{};

  NodeCosts const costs = node_costs_of(hosts, latency_s, nothing);

  EXPECT_DOUBLE_EQ(costs.latency_s[5], 4e-6);
  EXPECT_DOUBLE_EQ(costs.bandwidth_bytes_s[5], network_bandwidth_assumed);
}

TEST(NodeCosts, can_be_the_same_between_all) {
  NodeCosts const costs = equal_nodes(3, 1e-6, 5e9);

  EXPECT_EQ(costs.nodes, 3);
  EXPECT_EQ(costs.latency_s, std::vector<double>(9, 1e-6));
  EXPECT_EQ(costs.bandwidth_bytes_s, std::vector<double>(9, 5e9));
}

TEST(NodeCosts, refuse_tables_of_another_shape) {
  std::array<std::string, 2> const hosts{"a", "b"};

  EXPECT_THROW((void)node_costs_of(hosts, std::array{1.0}, std::array{1.0}), InputError);
  EXPECT_THROW((void)node_costs_of({}, {}, {}), InputError);
}

// A table of all pairs of as many as an int holds would be 32 EiB.
TEST(NodeCosts, of_no_nodes_or_too_many_are_refused) {
  for (int const nodes : {0, -1, nodes_max + 1, 1 << 30}) {
    EXPECT_THROW(static_cast<void>(equal_nodes(nodes)), InputError) << nodes;
  }
  EXPECT_EQ(equal_nodes(64).latency_s.size(), 4096U);
}

}  // namespace
}  // namespace makespan::graph
