// SPDX-License-Identifier: Apache-2.0
// Goal: the published cost, by hand, and that domains find what looking at each place finds.
// Method: golden mappings; the published loop over all places, run beside.
#include "makespan/graph/balancer/nucolb.hpp"

#include <gtest/gtest.h>

#include "graph/small_graphs.hpp"

namespace makespan::graph {
namespace {

// 3 and 2 work at the first of two places of a node, domains of their own; the first says something
// to the second.
Mapping nucolb(double messages, double bytes) {
  GraphColumns columns = silent({3, 2});
  add_edge(columns, 0, 1, messages, bytes);
  return NucoLbBalancer({{"alpha_s", 1.0}}).map(Graph(columns), domains_of_places(2, 1));
}

TEST(NucoLb, weighs_messages_by_nuco_factor) {
  // 3 finds 2 on the first place and nothing on the second, and goes there. 2 finds nothing and 3:
  // a quarter message makes 2 + 2/4 and 5 − 1/4, two make 2 + 4 and 5 − 2.
  EXPECT_EQ(nucolb(0.25, 1e9), (Mapping{1, 0}));
  EXPECT_EQ(nucolb(2.0, 0.0), (Mapping{1, 1}));
}

}  // namespace
}  // namespace makespan::graph
