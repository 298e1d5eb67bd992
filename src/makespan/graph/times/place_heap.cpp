// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/times/place_heap.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "makespan/base/contracts.hpp"

namespace makespan::graph {

namespace {

std::vector<int> all_of(Places const& places) {
  std::vector<int> numbers(static_cast<std::size_t>(places.count()));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

}  // namespace

PlaceHeap::PlaceHeap(Places const& places) : PlaceHeap(places, all_of(places)) {
}

PlaceHeap::PlaceHeap(Places const& places, std::span<int const> members) {
  MAKESPAN_EXPECT(!members.empty());
  auto const [first, last] = std::ranges::minmax(members);
  first_ = first;
  class_of_.assign(static_cast<std::size_t>(last - first) + 1, -1);
  for (int const place : members) {
    Place const& here = places[place];
    auto like = std::ranges::find_if(classes_, [&](Class const& one) {
      return one.like.kind == here.kind && one.like.speed == here.speed;
    });
    if (like == classes_.end()) like = classes_.insert(like, {here, IndexedHeap(class_of_.size())});
    class_of_[static_cast<std::size_t>(slot(place))] =
        static_cast<std::int32_t>(like - classes_.begin());
    like->heap.set(slot(place), 0.0);
  }
}

int PlaceHeap::first_to_end(Graph const& graph, int object) const {
  double first = std::numeric_limits<double>::infinity();
  int chosen = -1;
  for (Class const& one : classes_) {
    int const top = one.heap.top();
    double const end =
        one.heap.key(top) + (graph.work(object, one.like.kind) / one.like.speed).value();
    if (end < first || (end == first && top < chosen)) {
      first = end;
      chosen = top;
    }
  }
  return first_ + chosen;
}

int PlaceHeap::least() const {
  int chosen = first_ + classes_.front().heap.top();
  for (Class const& one : classes_) {
    int const top = first_ + one.heap.top();
    double const time = one.heap.key(top - first_);
    if (time < time_s(chosen) || (time == time_s(chosen) && top < chosen)) chosen = top;
  }
  return chosen;
}

void add_fixed(Graph const& graph, Places const& places, PlaceHeap& heap) {
  for (int object = 0; object < graph.objects(); ++object) {
    if (graph.may_move(object)) continue;
    std::int32_t const place = graph.now()[static_cast<std::size_t>(object)];
    heap.add(place, places.time_of(graph, object, place).value());
  }
}

}  // namespace makespan::graph
