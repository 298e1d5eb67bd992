// SPDX-License-Identifier: Apache-2.0
// Goal: objects in the order of their time where they are fastest. Method: by hand.
#include "makespan/graph/balancer/detail/heaviest_first.hpp"

#include <gtest/gtest.h>

#include "graph/small_graphs.hpp"

namespace makespan::graph {
namespace {

TEST(HeaviestFirst, sorts_by_work_and_then_by_number) {
  EXPECT_EQ(heaviest_first(Graph(silent({1, 3, 2, 3})), equal_places(2)),
            (std::vector<std::int32_t>{1, 3, 2, 0}));
}

TEST(HeaviestFirst, leaves_out_objects_that_may_not_move) {
  GraphColumns columns = silent({1, 3, 2});
  columns.is_fixed = {0, 1, 0};

  EXPECT_EQ(heaviest_first(Graph(columns), equal_places(2)), (std::vector<std::int32_t>{2, 0}));
}

TEST(HeaviestFirst, takes_each_object_where_it_is_fastest) {
  GraphColumns columns = silent({});
  columns.kinds = 3;
  columns.work = {5, 1, 0, 4, 9, 0};  // nothing is of the third kind
  columns.place = {0, 0};
  Places const places({{}, {.kind = 1, .speed = Speed{2}}}, {Domain{}},
                      {.latency_s = {0}, .bandwidth_bytes_s = {1}});

  EXPECT_EQ(heaviest_first(Graph(columns), places), (std::vector<std::int32_t>{1, 0}));
}

}  // namespace
}  // namespace makespan::graph
