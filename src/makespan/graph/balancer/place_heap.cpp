// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/place_heap.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

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

PlaceHeap::PlaceHeap(Places const& places, std::span<int const> members)
    : place_of_(members.begin(), members.end()), times_(members.size()) {
  MAKESPAN_EXPECT(!members.empty());
  std::ranges::sort(place_of_);
  slot_of_.assign(static_cast<std::size_t>(place_of_.back() - place_of_.front() + 1), -1);
  for (std::size_t slot = 0; slot < place_of_.size(); ++slot) {
    slot_of_[static_cast<std::size_t>(place_of_[slot] - place_of_.front())] =
        static_cast<std::int32_t>(slot);
    Place const& here = places[place_of_[slot]];
    auto like = std::ranges::find_if(classes_, [&](Class const& one) {
      return one.like.kind == here.kind && one.like.speed == here.speed;
    });
    if (like == classes_.end()) like = classes_.insert(like, {.like = here, .heap = {}});
    class_of_.push_back(static_cast<std::int32_t>(like - classes_.begin()));
    position_.push_back(static_cast<std::int32_t>(like->heap.size()));
    like->heap.push_back(static_cast<std::int32_t>(slot));
  }
}

int PlaceHeap::first_to_end(Graph const& graph, int object) const {
  double first = std::numeric_limits<double>::infinity();
  std::int32_t chosen = -1;
  for (Class const& one : classes_) {
    std::int32_t const top = one.heap.front();
    double const end = times_[static_cast<std::size_t>(top)] +
                       (graph.work(object, one.like.kind) / one.like.speed).value();
    if (end < first || (end == first && top < chosen)) {
      first = end;
      chosen = top;
    }
  }
  return place_of_[static_cast<std::size_t>(chosen)];
}

int PlaceHeap::least() const {
  std::int32_t chosen = classes_.front().heap.front();
  for (Class const& one : classes_) {
    if (is_before(one.heap.front(), chosen)) chosen = one.heap.front();
  }
  return place_of_[static_cast<std::size_t>(chosen)];
}

void PlaceHeap::set(int place, double time_s) {
  std::size_t const at = slot(place);
  bool const grows = time_s > times_[at];
  times_[at] = time_s;
  Class& heap = classes_[static_cast<std::size_t>(class_of_[at])];
  auto const position = static_cast<std::size_t>(position_[at]);
  if (grows) {
    sink(heap, position);
  } else {
    rise(heap, position);
  }
}

bool PlaceHeap::is_before(std::int32_t a, std::int32_t b) const {
  double const time_a = times_[static_cast<std::size_t>(a)];
  double const time_b = times_[static_cast<std::size_t>(b)];
  return time_a < time_b || (time_a == time_b && a < b);
}

void PlaceHeap::put(Class& heap, std::size_t position, std::int32_t slot) {
  heap.heap[position] = slot;
  position_[static_cast<std::size_t>(slot)] = static_cast<std::int32_t>(position);
}

void PlaceHeap::sink(Class& heap, std::size_t position) {
  std::int32_t const moved = heap.heap[position];
  for (;;) {
    std::size_t child = 2 * position + 1;
    if (child >= heap.heap.size()) break;
    if (child + 1 < heap.heap.size() && is_before(heap.heap[child + 1], heap.heap[child])) ++child;
    if (!is_before(heap.heap[child], moved)) break;
    put(heap, position, heap.heap[child]);
    position = child;
  }
  put(heap, position, moved);
}

void PlaceHeap::rise(Class& heap, std::size_t position) {
  std::int32_t const moved = heap.heap[position];
  while (position > 0) {
    std::size_t const parent = (position - 1) / 2;
    if (!is_before(moved, heap.heap[parent])) break;
    put(heap, position, heap.heap[parent]);
    position = parent;
  }
  put(heap, position, moved);
}

void add_fixed(Graph const& graph, Places const& places, PlaceHeap& heap) {
  for (int object = 0; object < graph.objects(); ++object) {
    if (graph.may_move(object)) continue;
    std::int32_t const place = graph.now()[static_cast<std::size_t>(object)];
    heap.add(place, places.time_of(graph, object, place).value());
  }
}

}  // namespace makespan::graph
