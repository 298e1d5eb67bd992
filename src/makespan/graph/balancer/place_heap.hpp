// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which place would be done first, while objects come to places one by one.

#include <cstdint>
#include <span>
#include <vector>

#include "makespan/graph/model/graph.hpp"
#include "makespan/graph/model/places.hpp"

namespace makespan::graph {

// The times of places so far, kept in heaps: places of one kind and speed in one, since among those
// the least busy is the first to end whatever comes. Changing one place's time costs O(log places).
// Ties go to the lower number. Tested by tests/graph/balancer/place_heap_test.cpp.
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
  [[nodiscard]] double time_s(int place) const { return times_[slot(place)]; }
  // The least time of members of the same kind and speed as that place.
  [[nodiscard]] double least_like_s(int place) const {
    Class const& one = classes_[static_cast<std::size_t>(class_of_[slot(place)])];
    return times_[static_cast<std::size_t>(one.heap.front())];
  }

  void set(int place, double time_s);
  void add(int place, double time_s) { set(place, PlaceHeap::time_s(place) + time_s); }

 private:
  // Places of one kind and speed, as a binary heap of slots.
  struct Class {
    Place like;
    std::vector<std::int32_t> heap;
  };

  [[nodiscard]] std::size_t slot(int place) const {
    return static_cast<std::size_t>(slot_of_[static_cast<std::size_t>(place - place_of_.front())]);
  }
  [[nodiscard]] bool is_before(std::int32_t a, std::int32_t b) const;
  void put(Class& heap, std::size_t position, std::int32_t slot);
  void sink(Class& heap, std::size_t position);
  void rise(Class& heap, std::size_t position);

  std::vector<std::int32_t> place_of_;  // by slot, rising
  std::vector<std::int32_t> slot_of_;   // from the first member to the last; -1: no member
  // By slot.
  std::vector<double> times_;
  std::vector<std::int32_t> class_of_;
  std::vector<std::int32_t> position_;  // in the heap of its class
  std::vector<Class> classes_;
};

// Adds the times of objects that may not move, where they are. All of them are to be on members.
void add_fixed(Graph const& graph, Places const& places, PlaceHeap& heap);

}  // namespace makespan::graph
