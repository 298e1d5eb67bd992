// SPDX-License-Identifier: Apache-2.0
// Goal: both ends of a move pay its way, one object after the other. Method: sums by hand.
#include "makespan/graph/model/migration.hpp"

#include <gtest/gtest.h>

#include "graph/small_graphs.hpp"

namespace makespan::graph {
namespace {

TEST(Migration, is_paid_at_both_ends) {
  Places const places = domains_of_places(2, 2);
  GraphColumns columns = silent({1e-3, 1e-3, 1e-3, 1e-3});
  columns.bytes = {1000, 2000, 4000, 8000};
  Graph const graph(columns);

  // 0 stays; 1 goes within its domain, 2 to the other one; 3 comes back from there.
  Migration const migration = migration_of(graph, places, Mapping{0, 0, 0, 2}, Mapping{0, 1, 2, 0});

  EXPECT_EQ(migration.objects, (std::vector<std::int32_t>{1, 2, 3}));
  EXPECT_EQ(migration.bytes, 14000);
  double const near_s = 1e-6 + 2e-6;
  double const far_s = 2e-6 + 8e-6;
  double const back_s = 2e-6 + 16e-6;
  ASSERT_EQ(migration.by_place_s.size(), 4U);
  EXPECT_DOUBLE_EQ(migration.by_place_s[0], near_s + far_s + back_s);
  EXPECT_DOUBLE_EQ(migration.by_place_s[1], near_s);
  EXPECT_DOUBLE_EQ(migration.by_place_s[2], far_s + back_s);
  EXPECT_EQ(migration.by_place_s[3], 0.0);
  EXPECT_DOUBLE_EQ(migration.longest_s(), near_s + far_s + back_s);
}

TEST(Migration, is_nothing_where_no_object_moves) {
  Graph const graph(silent({1e-3, 1e-3}));

  Migration const migration = migration_of(graph, equal_places(2), Mapping{0, 1}, Mapping{0, 1});

  EXPECT_TRUE(migration.objects.empty());
  EXPECT_EQ(migration.bytes, 0.0);
  EXPECT_EQ(migration.longest_s(), 0.0);
}

}  // namespace
}  // namespace makespan::graph
