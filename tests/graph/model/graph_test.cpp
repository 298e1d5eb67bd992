// SPDX-License-Identifier: Apache-2.0
// Goal: what went in comes out by object, and invalid objects and edges are refused by their
// number.
#include "makespan/graph/model/graph.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <string>

#include "graph/small_graphs.hpp"
#include "makespan/base/error.hpp"

namespace makespan::graph {
namespace {

GraphColumns triangle() {
  GraphColumns columns = silent({1.0, 2.0, 3.0});
  add_edge(columns, 0, 1, 2, 100);
  add_edge(columns, 2, 1, 1, 50);
  add_edge(columns, 0, 2, 3, 7);
  add_edge(columns, 1, 1, 9, 9);
  return columns;
}

TEST(Graph, knows_who_sends_to_whom) {
  Graph const graph(triangle());

  EXPECT_EQ(graph.objects(), 3);
  ASSERT_EQ(graph.sent(0).size(), 2U);
  EXPECT_EQ(graph.sent(0)[0], (Traffic{1, 2.0F, 100.0}));
  EXPECT_EQ(graph.sent(0)[1], (Traffic{2, 3.0F, 7.0}));
  EXPECT_TRUE(graph.received(0).empty());
  ASSERT_EQ(graph.received(1).size(), 2U);
  EXPECT_EQ(graph.received(1)[0].other, 0);
  EXPECT_EQ(graph.received(1)[1], (Traffic{2, 1.0F, 50.0}));
}

TEST(Graph, leaves_out_what_an_object_says_to_itself) {
  Graph const graph(triangle());

  EXPECT_TRUE(graph.sent(1).empty());
}

TEST(Graph, has_work_by_kind_of_place) {
  GraphColumns columns = silent({});
  columns.kinds = 2;
  columns.work = {1, 10, 2, 20};
  columns.place = {0, 1};
  Graph const graph(columns);

  EXPECT_EQ(graph.objects(), 2);
  EXPECT_EQ(graph.work(1, 0), Work{2});
  EXPECT_EQ(graph.work(1, 1), Work{20});
}

TEST(Graph, lets_objects_move_that_are_not_fixed) {
  GraphColumns columns = silent({1, 1});
  EXPECT_TRUE(Graph(columns).may_move(1));
  columns.is_fixed = {0, 1};

  Graph const graph(columns);

  EXPECT_TRUE(graph.may_move(0));
  EXPECT_FALSE(graph.may_move(1));
  EXPECT_EQ(graph.bytes(1), 0.0);
}

TEST(Graph, may_be_empty) {
  EXPECT_EQ(Graph(GraphColumns{}).objects(), 0);
}

std::string refusal(GraphColumns const& columns) {
  try {
    Graph const graph(columns);
  } catch (InputError const& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Graph, knows_how_well_its_work_is_known) {
  EXPECT_EQ(Graph(GraphColumns{}).noise(), 0.0);
  EXPECT_EQ(Graph(GraphColumns{.noise = 0.25}).noise(), 0.25);
  EXPECT_THROW(Graph(GraphColumns{.noise = -0.1}), InputError);
}

TEST(Graph, names_the_object_or_edge_that_is_wrong) {
  auto const with = [](auto const& change) {
    GraphColumns columns = triangle();
    columns.bytes = {1, 1, 1};
    change(columns);
    return refusal(columns);
  };
  double const nan = std::numeric_limits<double>::quiet_NaN();

  EXPECT_EQ(with([](GraphColumns& c) { c.to[2] = 3; }),
            "edge 2 (there is no object 3): objects are 0 to 2");
  EXPECT_NE(with([](GraphColumns& c) { c.from[1] = -1; }).find("edge 1"), std::string::npos);
  EXPECT_NE(with([](GraphColumns& c) { c.work[1] = -1; }).find("object 1 (work -1"),
            std::string::npos);
  EXPECT_NE(with([&](GraphColumns& c) { c.bytes[2] = nan; }).find("object 2 (bytes"),
            std::string::npos);
  EXPECT_NE(with([](GraphColumns& c) { c.messages[3] = -2; }).find("edge 3 (messages"),
            std::string::npos);
  // With which times would be no numbers.
  EXPECT_NE(with([](GraphColumns& c) { c.work[1] = 1e300; }).find("object 1 (work 1e+300"),
            std::string::npos);
  EXPECT_NE(with([](GraphColumns& c) { c.edge_bytes[3] = 1e31; }).find("edge 3 (bytes"),
            std::string::npos);
  EXPECT_NE(with([](GraphColumns& c) { c.work.pop_back(); }).find("column 'work'"),
            std::string::npos);
  EXPECT_NE(with([](GraphColumns& c) { c.is_fixed = {1}; }).find("column 'is_fixed'"),
            std::string::npos);
  EXPECT_NE(with([](GraphColumns& c) { c.kinds = 0; }), "accepted");
  EXPECT_NE(with([](GraphColumns& c) { c.footprint = {1}; }).find("column 'footprint'"),
            std::string::npos);
  EXPECT_NE(
      with([](GraphColumns& c) { c.working = {1, -1, 1}; }).find("object 1 (working bytes -1"),
      std::string::npos);
  EXPECT_EQ(with([](GraphColumns& c) {
              c.block = {0, -1, 1};
              c.block_bytes = {5};
            }),
            "object 2 (there is no block 1): give bytes for each block; -1 is none");
  EXPECT_NE(with([](GraphColumns& c) { c.block_bytes = {-5}; }).find("block 0 (bytes -5"),
            std::string::npos);
}

TEST(Graph, knows_what_objects_take_of_memory) {
  GraphColumns columns = silent({1, 1, 1});
  columns.bytes = {10, 20, 30};
  Graph const plain(columns);
  EXPECT_EQ(plain.footprint(1), 20) << "as much as to move it";
  EXPECT_EQ(plain.working(1), 0);
  EXPECT_EQ(plain.block(1), -1);
  EXPECT_EQ(plain.blocks(), 0);

  columns.footprint = {1, 2, 3};
  columns.working = {4, 5, 6};
  columns.block = {1, -1, 0};
  columns.block_bytes = {100, 200};
  Graph const graph(columns);

  EXPECT_EQ(graph.bytes(2), 30);
  EXPECT_EQ(graph.footprint(2), 3);
  EXPECT_EQ(graph.working(2), 6);
  EXPECT_EQ(graph.block(0), 1);
  EXPECT_EQ(graph.blocks(), 2);
  EXPECT_EQ(graph.block_bytes(1), 200);
}

}  // namespace
}  // namespace makespan::graph
