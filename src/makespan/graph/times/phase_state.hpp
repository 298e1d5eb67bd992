// SPDX-License-Identifier: Apache-2.0
#pragma once

// The times of places while objects go from one to another, kept up move by move.

#include <cstdint>
#include <span>
#include <vector>

#include "makespan/graph/model/graph.hpp"
#include "makespan/graph/model/link_times.hpp"
#include "makespan/graph/model/places.hpp"
#include "makespan/graph/times/memory_use.hpp"

namespace makespan::graph {

// What a place says to an object, and what the object says to it: the traffic with all objects
// there.
struct Share {
  std::int32_t place{};
  double in_messages{};
  double in_bytes{};
  double out_messages{};
  double out_bytes{};
};

// The model of phase_time.hpp, and on top of it what the way of moved objects costs the places that
// get them, spread over `phases` phases.
//
//   state.look_at(object);
//   if (state.sum_change_s(place) < 0) state.move_to(place);
//
// Asking for a place costs O(places that the object talks with), once it has been looked at, which
// costs O(its edges). Tested by tests/graph/times/phase_state_test.cpp.
class PhaseState {
 public:
  // Both are to outlive it.
  PhaseState(Graph const& graph, Places const& places, Mapping mapping, double phases);

  [[nodiscard]] Graph const& graph() const { return graph_; }
  [[nodiscard]] Places const& places() const { return places_; }
  [[nodiscard]] Mapping const& mapping() const { return mapping_; }
  [[nodiscard]] std::span<double const> times_s() const { return times_s_; }
  [[nodiscard]] int place_of(int object) const {
    return mapping_[static_cast<std::size_t>(object)];
  }
  [[nodiscard]] double time_s(int place) const { return times_s_[static_cast<std::size_t>(place)]; }
  // Of places and links.
  [[nodiscard]] double longest_s() const;
  [[nodiscard]] LinkTimes const& links() const { return links_; }
  // Mean over places, weighted by speed: what all would take were they equal.
  [[nodiscard]] double mean_s() const;

  // Whether all that it talks with is where it is.
  [[nodiscard]] bool is_inside(int object) const;

  // The object that the calls below are about, until it is moved or another one is looked at.
  void look_at(int object);
  // Those it talks with, its own place too if it talks with others there.
  [[nodiscard]] std::span<Share const> shares() const { return shares_; }
  // Whether the memory of `place` has room for it.
  [[nodiscard]] bool has_room(int place) const {
    return !memory_.is_limited() || memory_.has_room(object_, place_of(object_), place);
  }
  // Of all memories, what is in use beyond their limits.
  [[nodiscard]] double excess_bytes() const { return memory_.excess_bytes(); }
  // Whether memories have room for both where the object and another one of `place` change places.
  [[nodiscard]] bool has_room_to_exchange(int other);
  // What the object costs its place, were it at `place`.
  [[nodiscard]] double own_s(int place) const;
  // By how much all times together, of links too, change if it goes to `place`, another one than
  // its own, as below.
  [[nodiscard]] double sum_change_s(int place) const;
  // The time of `place` after that.
  [[nodiscard]] double time_after_s(int place) const;
  // The longest time of a place or link whose time such a move changes, after it; where that is
  // `limit_s` or more, one of those that are.
  [[nodiscard]] double longest_touched_s(int place, double limit_s) const;
  // Whether it changes for how long links are busy if it goes to `place`.
  [[nodiscard]] bool touches_links(int place) const {
    return links_.are_any() &&
           places_.changes_links(places_[place_of(object_)].domain, places_[place].domain);
  }
  void move_to(int place);
  // Undoes what rounding a move and the way back have left.
  void set_time_s(int place, double time_s) { times_s_[static_cast<std::size_t>(place)] = time_s; }
  void set_links(LinkTimes const& links) { links_ = links; }

 private:
  // What the share's place pays for what the object says, were the object at `place`.
  [[nodiscard]] double paid_s(Share const& share, int place) const;
  [[nodiscard]] double migration_s(int place) const;
  // What it changes of them, with its messages from here taken off and those from there added, by
  // `change(from, to, bytes)` in domains.
  template <class Change>
  void each_link_change(int place, Change const& change) const;

  Graph const& graph_;
  Places const& places_;
  Mapping mapping_;
  double phases_;
  std::vector<double> times_s_;
  LinkTimes links_;
  MemoryUse memory_;
  mutable LinkTimes tried_;  // links after a move that is asked about
  int object_{-1};
  std::vector<Share> shares_;
  std::vector<std::int32_t> share_at_;  // by place: number in shares_, -1 if it has none
};

}  // namespace makespan::graph
