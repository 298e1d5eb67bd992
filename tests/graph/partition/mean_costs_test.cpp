// SPDX-License-Identifier: Apache-2.0
// Goal: means are over places, and over pairs of domains. Method: by hand.
#include "makespan/graph/partition/mean_costs.hpp"

#include <gtest/gtest.h>

#include "graph/small_graphs.hpp"

namespace makespan::graph {
namespace {

TEST(MeanCosts, are_over_pairs_of_domains) {
  // 1, 2 and 4 microseconds and nanoseconds: 2 of four domains' 16 pairs are near, 4 themselves.
  MeanCosts const costs = mean_costs(domains_of_places(4, 3));

  EXPECT_DOUBLE_EQ(costs.message_s, (4 * 1e-6 + 4 * 2e-6 + 8 * 4e-6) / 16);
  EXPECT_DOUBLE_EQ(costs.of({0, 2.0F, 1000.0}), 2 * costs.message_s + 1000 * costs.byte_s);
}

TEST(MeanTimes, are_over_places_and_their_kinds) {
  GraphColumns columns = silent({});
  columns.kinds = 2;
  columns.work = {4, 1, 8, 8};
  columns.place = {0, 0};
  Places const places({{}, {.speed = Speed{2}}, {.kind = 1}}, {Domain{}},
                      {.latency_s = {0}, .bandwidth_bytes_s = {1}});

  EXPECT_EQ(mean_times_s(Graph(columns), places),
            (std::vector{(4.0 + 2.0 + 1.0) / 3, (8.0 + 4.0 + 8.0) / 3}));
}

}  // namespace
}  // namespace makespan::graph
