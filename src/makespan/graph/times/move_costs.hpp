// SPDX-License-Identifier: Apache-2.0
#pragma once

// How long the phase would be if one object moved, for every place that it could move to.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "makespan/graph/model/graph.hpp"
#include "makespan/graph/model/places.hpp"

namespace makespan::graph {

// A mapping with the time that each place takes for its objects' work and for what they get from
// other places, messages and bytes one after the other, kept up to date while objects move one by
// one. All three are to outlive it. Tested by
// tests/graph/times/move_costs_test.cpp.
class MoveCosts {
 public:
  MoveCosts(Graph const& graph, Places const& places, Mapping mapping);

  [[nodiscard]] Mapping const& mapping() const { return mapping_; }
  // Of a place: computing and receiving.
  [[nodiscard]] double total_s(int place) const { return total_s_[index(place)]; }
  // What an object adds to its place's.
  [[nodiscard]] double cost_s(int object) const { return cost_s_[index(object)]; }
  // Objects at a place that may move, in no order that means anything.
  [[nodiscard]] std::span<std::int32_t const> movable(int place) const {
    return movable_[index(place)];
  }

  // The longest place's total with `object` on each place and all else as it is. Shape (places).
  // O(its edges + the places it talks to · domains + places).
  void longest_if_moved(int object, std::span<double> longest_s);
  // O(its edges).
  void move(int object, int place);

 private:
  // All messages from or to one place.
  struct Bundle {
    int place;
    double messages;
    double bytes;
  };
  // The largest of some totals and the largest of the others.
  struct TopTwo {
    std::array<double, 2> total_s{0.0, 0.0};
    int place{-1};  // whose the first is

    void see(double total, int here);
    [[nodiscard]] double without(int here) const { return total_s[here == place ? 1 : 0]; }
  };

  static std::size_t index(int number) { return static_cast<std::size_t>(number); }
  // What the object gets from other places, were it there.
  [[nodiscard]] double received_s(int object, int place) const;
  [[nodiscard]] double bundle_s(int from, int to, Bundle const& bundle) const;
  // One object's messages by the place at the other end, into `bundles`; slot_ as its index.
  void bundle_up(std::span<Traffic const> edges, std::vector<Bundle>& bundles);
  // What the object would cost on each place, into cost_there_s_.
  void cost_everywhere(int object);
  // Totals of the places that it sends to, and of its own, for senders in each domain.
  void see_receivers(int object);

  Graph const* graph_;
  Places const* places_;
  Mapping mapping_;
  std::vector<double> total_s_;
  std::vector<double> cost_s_;
  std::vector<std::vector<std::int32_t>> movable_;
  std::vector<std::int32_t> position_;  // of an object in its place's list

  // Working memory of one question.
  std::vector<Bundle> senders_;
  std::vector<Bundle> receivers_;
  std::vector<std::int32_t> slot_;    // by place: which bundle, or -1
  std::vector<double> left_s_;        // by place: its total without the object and what it sends
  std::vector<double> cost_there_s_;  // by place
  std::vector<double> by_domain_s_;
  std::vector<TopTwo> top_receivers_;  // by the object's domain
};

}  // namespace makespan::graph
