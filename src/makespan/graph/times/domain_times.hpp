// SPDX-License-Identifier: Apache-2.0
#pragma once

// When an object would end in each domain, while objects come and go one by one.

#include <cstdint>
#include <span>
#include <vector>

#include "makespan/graph/model/graph.hpp"
#include "makespan/graph/model/places.hpp"
#include "makespan/graph/times/place_heap.hpp"

namespace makespan::graph {

// A heap of places for each domain, and their tops side by side, so that looking at all domains is
// a loop over rows of numbers. A row holds, for each domain, the least time of its places of one
// kind and speed; there are as many rows as the most varied domain has speeds of each kind: one,
// where places are alike. `places` is to outlive it. Tested by
// tests/graph/times/domain_times_test.cpp.
class DomainTimes {
 public:
  explicit DomainTimes(Places const& places);

  [[nodiscard]] double time_s(int place) const { return heap_of(place).time_s(place); }
  // O(log places of its domain).
  void add(int place, double time_s);

  // The end of `object` in each domain, on the place where it would end first; infinite where a
  // domain has no place. Shape (domains). O(domains · rows).
  void ends(Graph const& graph, int object, std::span<double> ends_s) const;
  // That place of `domain`, which is to have one.
  [[nodiscard]] int first_to_end(Graph const& graph, int object, int domain) const;

 private:
  // Shape (domains) each.
  struct Row {
    int kind;
    std::vector<double> least_s;           // infinite where a domain has no such place
    std::vector<double> seconds_per_work;  // 0 there
  };

  [[nodiscard]] PlaceHeap const& heap_of(int place) const {
    return heaps_[static_cast<std::size_t>(
        heap_of_domain_[static_cast<std::size_t>((*places_)[place].domain)])];
  }
  void add_to_rows(int domain);

  Places const* places_;
  std::vector<PlaceHeap> heaps_;
  std::vector<std::int32_t> heap_of_domain_;  // -1: no places
  std::vector<Row> rows_;
  std::vector<std::int32_t> row_of_place_;
};

}  // namespace makespan::graph
