// SPDX-License-Identifier: Apache-2.0
// Goal: pieces that hold together, of the right sizes. Method: chains, by hand.
#include "makespan/graph/balancer/recursive_bisection.hpp"

#include <gtest/gtest.h>

#include "graph/small_graphs.hpp"

#include <algorithm>

namespace makespan::graph {
namespace {

GraphColumns chain(int objects) {
  GraphColumns columns = silent(std::vector<double>(static_cast<std::size_t>(objects), 1.0));
  for (int object = 0; object + 1 < objects; ++object) add_edge(columns, object, object + 1, 1, 0);
  return columns;
}

Mapping bisected(GraphColumns const& columns, Places const& places) {
  return RecursiveBisectionBalancer({}).map(Graph(columns), places);
}

TEST(RecursiveBisection, cuts_a_chain_into_runs) {
  // 7 to 4 grow first, from the rim, and go to places 0 and 1; of these 7 and 6 again.
  EXPECT_EQ(bisected(chain(8), equal_places(4)), (Mapping{3, 3, 2, 2, 1, 1, 0, 0}));
}

TEST(RecursiveBisection, gives_fast_places_more) {
  EXPECT_EQ(bisected(chain(8), places_of_speeds({1, 3})), (Mapping{1, 1, 1, 1, 1, 1, 0, 0}));
}

TEST(RecursiveBisection, cuts_between_domains_first) {
  // Domains of one and of three places: 7 and 6 for the one, and of the others first 5, then the
  // rest, since of three places the middle is after the first.
  Places const places({{}, {.domain = 1}, {.domain = 1}, {.domain = 1}}, {Domain{}, Domain{}},
                      {.latency_s = {1, 1, 1, 1}, .bandwidth_bytes_s = {1, 1, 1, 1}});

  EXPECT_EQ(bisected(chain(8), places), (Mapping{3, 3, 2, 2, 1, 1, 0, 0}));
}

TEST(RecursiveBisection, grows_around_objects_that_may_not_move) {
  GraphColumns columns = chain(8);
  columns.is_fixed = {1, 0, 0, 0, 0, 0, 0, 1};
  columns.place = {0, 0, 0, 0, 0, 0, 0, 1};

  EXPECT_EQ(bisected(columns, equal_places(2)), (Mapping{0, 0, 0, 0, 1, 1, 1, 1}));
}

// Where each component made a search begin at the first object, this took n^2 / 8 looks: hours.
TEST(RecursiveBisection, divides_many_that_talk_with_one_each) {
  constexpr int objects = 2'000'000;
  GraphColumns columns = silent(std::vector<double>(objects, 1.0));
  for (int object = 0; object < objects; object += 2) add_edge(columns, object, object + 1, 1, 0);

  Mapping const mapping = bisected(columns, equal_places(4));

  for (int place = 0; place < 4; ++place) {
    EXPECT_NEAR(static_cast<double>(std::ranges::count(mapping, place)), objects / 4, objects / 50);
  }
  int cut = 0;
  for (std::size_t at = 0; at < mapping.size(); at += 2) cut += mapping[at] != mapping[at + 1];
  EXPECT_EQ(cut, 0);
}

}  // namespace
}  // namespace makespan::graph
