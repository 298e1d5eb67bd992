// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which place would be done first, while objects come to places one by one.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "makespan/base/tournament_tree.hpp"
#include "makespan/graph/model/graph.hpp"
#include "makespan/graph/model/places.hpp"

namespace makespan::graph {

// The times of places so far, in a tournament for places of one kind and speed each, since among
// those the least busy is the first to end whatever comes. Changing one place's time costs
// O(log places). Ties go to the lower number. Tested by tests/graph/times/place_heap_test.cpp.
class PlaceHeap {
 public:
  // Among `members`, all of whose times are 0. `places` is to outlive it.
  PlaceHeap(Places const& places, std::span<int const> members);
  // Among all places.
  explicit PlaceHeap(Places const& places);

  // Where the object would end first, were it put there now: least time + work / speed. O(1) for
  // each combination of kind and speed.
  [[nodiscard]] int first_to_end(Graph const& graph, int object) const {
    return classes_.size() == 1 ? classes_.front().top() : class_of_first(graph, object).top();
  }
  // Puts it there: the place, and when it ends.
  struct Placed {
    int place;
    double end_s;
  };
  Placed put_first_to_end(Graph const& graph, int object) {
    // Where places are alike, what the object takes is known before the place is.
    if (classes_.size() == 1) return classes_.front().put(graph, object);
    return class_of_first(graph, object).put(graph, object);
  }
  // The place of least time.
  [[nodiscard]] int least() const;
  [[nodiscard]] double time_s(int place) const { return class_of(place).times.key(rank(place)); }
  // The least time of members of the same kind and speed as that place.
  [[nodiscard]] double least_like_s(int place) const { return class_of(place).least_s(); }

  void set(int place, double time_s) {
    classes_[slot(place).number].times.set(rank(place), time_s);
  }
  void add(int place, double time_s) { set(place, PlaceHeap::time_s(place) + time_s); }

 private:
  // Places of one kind and speed, in rising order, with their times.
  struct Class {
    Place like;
    std::vector<int> members;
    TournamentTree times;

    [[nodiscard]] int top() const { return members[static_cast<std::size_t>(times.top())]; }
    [[nodiscard]] double least_s() const { return times.key(times.top()); }
    [[nodiscard]] double time_of(Graph const& graph, int object) const {
      return (graph.work(object, like.kind) / like.speed).value();
    }
    // On the first of its members to end.
    Placed put(Graph const& graph, int object) {
      int const first = times.top();
      double const end_s = times.key(first) + time_of(graph, object);
      times.set(first, end_s);
      return {members[static_cast<std::size_t>(first)], end_s};
    }
  };
  // Of a place: its class, and which of its members it is.
  struct Slot {
    std::uint32_t number;
    std::int32_t rank;
  };

  // The class of the place where the object would end first.
  [[nodiscard]] Class const& class_of_first(Graph const& graph, int object) const;
  [[nodiscard]] Class& class_of_first(Graph const& graph, int object) {
    return const_cast<Class&>(std::as_const(*this).class_of_first(graph, object));
  }
  [[nodiscard]] Slot const& slot(int place) const {
    return slots_[static_cast<std::size_t>(place - first_)];
  }
  [[nodiscard]] int rank(int place) const { return slot(place).rank; }
  [[nodiscard]] Class const& class_of(int place) const { return classes_[slot(place).number]; }

  int first_{};              // the lowest member
  std::vector<Slot> slots_;  // by place, from the lowest member on
  std::vector<Class> classes_;
};

// Adds the times of objects that may not move, where they are. All of them are to be on members.
void add_fixed(Graph const& graph, Places const& places, PlaceHeap& heap);

}  // namespace makespan::graph
