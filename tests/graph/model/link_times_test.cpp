// SPDX-License-Identifier: Apache-2.0
// Goal: links are busy with what goes between nodes, each direction for itself. Method: by hand.
#include "makespan/graph/model/link_times.hpp"

#include <gtest/gtest.h>

namespace makespan::graph {
namespace {

// Domains 0 and 1 of node 0, domain 2 of node 1, domain 3 of node 2; 100 bytes a second to other
// nodes, 1000 within.
Places three_nodes() {
  std::vector<Domain> domains{{.node = 0}, {.node = 0}, {.node = 1}, {.node = 2}};
  DomainCosts costs;
  for (Domain const& from : domains) {
    for (Domain const& to : domains) {
      costs.latency_s.push_back(1e-6);
      costs.bandwidth_bytes_s.push_back(from.node == to.node ? 1000.0 : 100.0);
    }
  }
  return Places({{.domain = 0}, {.domain = 1}, {.domain = 2}, {.domain = 3}}, domains, costs);
}

TEST(LinkTimes, of_a_node_add_up_by_direction) {
  Places const places = three_nodes();
  LinkTimes links(places, 0.0);
  ASSERT_TRUE(links.are_any());

  links.add(0, 2, 50.0);
  links.add(1, 3, 100.0);
  links.add(2, 0, 30.0);

  EXPECT_DOUBLE_EQ(links.out_s()[0], 1.5);
  EXPECT_DOUBLE_EQ(links.in_s()[0], 0.3);
  EXPECT_DOUBLE_EQ(links.in_s()[1], 0.5);
  EXPECT_DOUBLE_EQ(links.out_s()[1], 0.3);
  EXPECT_DOUBLE_EQ(links.in_s()[2], 1.0);
  EXPECT_DOUBLE_EQ(links.longest_s(), 1.5);
  EXPECT_EQ(links.longest_node(), 0);
}

TEST(LinkTimes, within_a_node_nothing_is_busy) {
  Places const places = three_nodes();
  LinkTimes links(places, 0.0);

  links.add(0, 1, 1e6);

  EXPECT_EQ(links.longest_s(), 0.0);
}

TEST(LinkTimes, what_is_taken_off_is_gone) {
  Places const places = three_nodes();
  LinkTimes links(places, 0.0);
  links.add(3, 2, 200.0);
  EXPECT_EQ(links.longest_node(), 1);
  links.add(3, 2, -200.0);

  EXPECT_EQ(links.longest_s(), 0.0);
}

TEST(LinkTimes, wait_for_the_first_that_sends_and_not_for_nothing) {
  Places const places = three_nodes();
  LinkTimes links(places, 0.5);
  EXPECT_EQ(links.longest_s(), 0.0);

  links.add(0, 2, 20.0);
  EXPECT_DOUBLE_EQ(links.longest_s(), 0.4) << "as long as it is busy, at most";
  links.add(0, 2, 80.0);

  EXPECT_DOUBLE_EQ(links.longest_s(), 1.5);
  EXPECT_DOUBLE_EQ(links.node_s(1), 1.5);
  EXPECT_DOUBLE_EQ(links.out_s()[0], 1.0);
}

TEST(LinkTimes, of_a_single_node_are_none) {
  Places const places({{}, {}}, {{}}, {.latency_s = {1e-6}, .bandwidth_bytes_s = {1e9}});
  LinkTimes links(places, 0.0);
  links.add(0, 0, 100.0);

  EXPECT_FALSE(links.are_any());
  EXPECT_EQ(links.longest_s(), 0.0);
}

}  // namespace
}  // namespace makespan::graph
