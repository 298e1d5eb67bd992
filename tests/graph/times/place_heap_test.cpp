// SPDX-License-Identifier: Apache-2.0
// Goal: the heap finds what looking at every place would find. Method: random times against a scan.
#include "makespan/graph/times/place_heap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "graph/small_graphs.hpp"
#include "makespan/base/contracts.hpp"

namespace makespan::graph {
namespace {

int first_by_scan(Graph const& graph, Places const& places, std::vector<double> const& times,
                  int object) {
  int first = 0;
  auto const end = [&](int place) {
    return times[static_cast<std::size_t>(place)] + places.time_of(graph, object, place).value();
  };
  for (int place = 1; place < places.count(); ++place) {
    if (end(place) < end(first)) first = place;
  }
  return first;
}

TEST(PlaceHeap, finds_the_place_that_ends_first) {
  std::mt19937_64 random{7};
  Places const places = places_of_speeds({1, 1, 4, 2, 4, 1, 1, 2, 2, 4, 1});
  Graph const graph(random_graph(3, 500, 0, 11));
  std::vector<double> times(11);
  PlaceHeap heap(places);
  for (int object = 0; object < graph.objects(); ++object) {
    int const expected = first_by_scan(graph, places, times, object);
    ASSERT_EQ(heap.first_to_end(graph, object), expected);
    EXPECT_EQ(times[static_cast<std::size_t>(heap.least())], std::ranges::min(times));

    auto const any = static_cast<int>(random() % 11);
    double const time = std::uniform_real_distribution{0.0, 0.01}(random);
    heap.set(any, time);
    times[static_cast<std::size_t>(any)] = time;
    int const next = first_by_scan(graph, places, times, object);
    times[static_cast<std::size_t>(next)] += places.time_of(graph, object, next).value();
    auto const [place, end_s] = heap.put_first_to_end(graph, object);
    ASSERT_EQ(place, next);
    EXPECT_EQ(end_s, times[static_cast<std::size_t>(next)]);
    EXPECT_EQ(heap.time_s(place), end_s);
  }
}

TEST(PlaceHeap, breaks_ties_by_number) {
  PlaceHeap heap(places_of_speeds({2, 1, 2, 1}));
  Graph const graph(silent({0.0}));

  EXPECT_EQ(heap.least(), 0);
  EXPECT_EQ(heap.first_to_end(graph, 0), 0);
}

TEST(PlaceHeap, looks_at_its_members_only) {
  Places const places = equal_places(5);
  PlaceHeap heap(places, std::vector{3, 1});

  EXPECT_EQ(heap.least(), 1);
  heap.add(1, 1.0);
  EXPECT_EQ(heap.least(), 3);
  EXPECT_EQ(heap.time_s(1), 1.0);
}

TEST(PlaceHeap, knows_the_least_of_a_kind_and_speed) {
  Places const places = places_of_speeds({2, 1, 2, 1});
  PlaceHeap heap(places, std::vector{1, 2, 3});
  heap.add(1, 3.0);
  heap.add(2, 5.0);
  heap.add(3, 2.0);

  EXPECT_EQ(heap.least_like_s(1), 2.0);
  EXPECT_EQ(heap.least_like_s(2), 5.0);
}

TEST(PlaceHeap, knows_objects_that_may_not_move) {
  GraphColumns columns = silent({1, 2, 4});
  columns.place = {0, 1, 1};
  columns.is_fixed = {0, 1, 0};
  Places const places = equal_places(2);
  PlaceHeap heap(places);

  add_fixed(Graph(columns), places, heap);

  EXPECT_EQ(heap.time_s(0), 0.0);
  EXPECT_EQ(heap.time_s(1), 2.0);
}

}  // namespace
}  // namespace makespan::graph
