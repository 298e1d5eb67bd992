// SPDX-License-Identifier: Apache-2.0
// Goal: shares follow speed, weights follow work. Method: by hand.
#include "makespan/graph/partition/work_shares.hpp"

#include <gtest/gtest.h>

#include "graph/small_graphs.hpp"

namespace makespan::graph {
namespace {

TEST(WorkShares, follow_speed_where_there_is_one_kind) {
  WorkShares const shares = work_shares(Graph(silent({2, 4})), places_of_speeds({1, 3}));

  EXPECT_EQ(shares.share, (std::vector<double>{0.25, 0.75}));
  // A quarter of the share at speed 1 and three at speed 3: half a second per work.
  EXPECT_EQ(shares.weight, (std::vector<double>{1, 2}));
}

TEST(WorkShares, weigh_kinds_by_what_they_would_do) {
  GraphColumns columns = silent({});
  columns.kinds = 2;
  columns.work = {1, 1, 3, 1};  // all: 4 and 2
  columns.place = {0, 0};
  Places const places({{}, {.kind = 1}}, {Domain{}}, {.latency_s = {0}, .bandwidth_bytes_s = {1}});

  WorkShares const shares = work_shares(Graph(columns), places);

  EXPECT_DOUBLE_EQ(shares.share[0], 1.0 / 3.0);
  EXPECT_DOUBLE_EQ(shares.share[1], 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(shares.weight[0], 1.0);
  EXPECT_DOUBLE_EQ(shares.weight[1], 5.0 / 3.0);
}

TEST(WorkShares, take_work_that_no_speed_could_be_divided_by_for_none) {
  WorkShares const shares =
      work_shares(Graph(silent({1e-310, 3e-310})), places_of_speeds({1e30, 1e30}));

  EXPECT_EQ(shares.share, (std::vector<double>{0.5, 0.5}));
  for (double const weight : shares.weight) EXPECT_GE(weight, 0.0);
}

TEST(WorkShares, count_objects_where_none_has_work) {
  WorkShares const shares = work_shares(Graph(silent({0, 0})), places_of_speeds({1, 1}));

  EXPECT_EQ(shares.weight, (std::vector<double>{1, 1}));
  EXPECT_EQ(shares.share, (std::vector<double>{0.5, 0.5}));
}

}  // namespace
}  // namespace makespan::graph
