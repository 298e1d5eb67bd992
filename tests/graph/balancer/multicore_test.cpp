// SPDX-License-Identifier: Apache-2.0
// Goal: objects go no further than they must. Method: by hand, on a tree of two nodes of two
// packages of two caches of two cores.
#include "makespan/graph/balancer/multicore.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "graph/small_graphs.hpp"

namespace makespan::graph {
namespace {

// Place p is in cache p/2, package p/4, node p/8.
Places tree_of_places() {
  std::vector<Place> places;
  std::vector<Domain> domains;
  for (int cache = 0; cache < 8; ++cache) {
    places.insert(places.end(), 2, {.domain = cache});
    domains.push_back({.node = cache / 4, .groups = {cache / 2, cache}});
  }
  std::vector<double> const costs(64, 1e-6);
  return Places(std::move(places), std::move(domains),
                {.latency_s = costs, .bandwidth_bytes_s = std::vector<double>(64, 1e9)});
}

// A unit of work at each place, but for those given: two more at `late`, none at `free`.
GraphColumns one_late(int late, std::vector<int> const& free) {
  GraphColumns columns = silent({});
  for (int place = 0; place < 16; ++place) {
    bool const is_free = std::ranges::find(free, place) != free.end();
    for (int object = 0; object < (place == late ? 3 : is_free ? 0 : 1); ++object) {
      columns.work.push_back(1.0);
      columns.place.push_back(place);
    }
  }
  return columns;
}

Mapping multicore(GraphColumns const& columns) {
  return MulticoreBalancer({{"tolerance", 1.2}}).map(Graph(columns), tree_of_places());
}

// Where objects that have moved went.
std::vector<int> moved_to(GraphColumns const& columns, Mapping const& mapping) {
  std::vector<int> places;
  for (std::size_t object = 0; object < mapping.size(); ++object) {
    if (mapping[object] != columns.place[object]) places.push_back(mapping[object]);
  }
  return places;
}

TEST(Multicore, gives_to_the_place_that_shares_a_cache) {
  GraphColumns const columns = one_late(6, {0, 4, 7, 9});

  EXPECT_EQ(moved_to(columns, multicore(columns)), (std::vector{7, 4}));
}

TEST(Multicore, gives_to_the_package_before_the_node) {
  GraphColumns const columns = one_late(6, {1, 5, 15});

  EXPECT_EQ(moved_to(columns, multicore(columns)), (std::vector{5, 1}));
}

TEST(Multicore, gives_to_another_node_what_fits_nowhere_nearer) {
  GraphColumns const columns = one_late(6, {11, 15});

  Mapping const mapping = multicore(columns);

  EXPECT_EQ(moved_to(columns, mapping).size(), 2);
}

TEST(Multicore, chooses_among_near_places_by_messages) {
  GraphColumns columns = one_late(6, {4, 5});
  // One that takes next to nothing, at place 5, says much to the first that is given away.
  int const speaker = static_cast<int>(std::ssize(columns.work));
  int const first = 4;
  columns.work.push_back(1e-3);
  columns.place.push_back(5);
  add_edge(columns, speaker, first, 10, 0);

  Mapping const mapping = multicore(columns);

  EXPECT_EQ(mapping[static_cast<std::size_t>(first)], 5);
  EXPECT_EQ(mapping[static_cast<std::size_t>(first) + 1], 4);
}

TEST(Multicore, touches_nothing_that_is_early_enough) {
  GraphColumns const columns = one_late(-1, {});

  EXPECT_EQ(multicore(columns), columns.place);
}

}  // namespace
}  // namespace makespan::graph
