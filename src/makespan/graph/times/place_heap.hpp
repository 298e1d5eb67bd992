// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which place would be done first, while objects come to places one by one.

#include <cstdint>
#include <span>
#include <vector>

#include "makespan/base/indexed_heap.hpp"
#include "makespan/graph/model/graph.hpp"
#include "makespan/graph/model/places.hpp"

namespace makespan::graph {

// The times of places so far, kept in heaps: places of one kind and speed in one, since among those
// the least busy is the first to end whatever comes. Changing one place's time costs O(log places).
// Ties go to the lower number. Tested by tests/graph/times/place_heap_test.cpp.
class PlaceHeap {
 public:
  // Among `members`, all of whose times are 0. `places` is to outlive it.
  PlaceHeap(Places const& places, std::span<int const> members);
  // Among all places.
  explicit PlaceHeap(Places const& places);

  // Where the object would end first, were it put there now: least time + work / speed. O(1) for
  // each combination of kind and speed.
  [[nodiscard]] int first_to_end(Graph const& graph, int object) const;
  // The place of least time.
  [[nodiscard]] int least() const;
  [[nodiscard]] double time_s(int place) const { return class_of(place).heap.key(slot(place)); }
  // The least time of members of the same kind and speed as that place.
  [[nodiscard]] double least_like_s(int place) const {
    IndexedHeap const& heap = class_of(place).heap;
    return heap.key(heap.top());
  }

  void set(int place, double time_s) {
    classes_[class_number(place)].heap.set(slot(place), time_s);
  }
  void add(int place, double time_s) { set(place, PlaceHeap::time_s(place) + time_s); }

 private:
  // Places of one kind and speed, with their times by slot.
  struct Class {
    Place like;
    IndexedHeap heap;
  };

  [[nodiscard]] int slot(int place) const { return place - first_; }
  [[nodiscard]] std::size_t class_number(int place) const {
    return static_cast<std::size_t>(class_of_[static_cast<std::size_t>(slot(place))]);
  }
  [[nodiscard]] Class const& class_of(int place) const { return classes_[class_number(place)]; }

  int first_{};                         // the lowest member, whose slot is 0
  std::vector<std::int32_t> class_of_;  // by slot; -1 of those that are no members
  std::vector<Class> classes_;
};

// Adds the times of objects that may not move, where they are. All of them are to be on members.
void add_fixed(Graph const& graph, Places const& places, PlaceHeap& heap);

}  // namespace makespan::graph
