// SPDX-License-Identifier: Apache-2.0
#pragma once

// Cuts some objects of a graph into two parts of given weight.

#include <cstdint>
#include <span>
#include <vector>

#include "makespan/base/indexed_heap.hpp"
#include "makespan/graph/model/graph.hpp"
#include "makespan/graph/model/places.hpp"

namespace makespan::graph {

// The step of division.hpp, for one graph and any of its objects. Tested by
// tests/graph/partition/division_test.cpp.
class Bisection {
 public:
  // Both are to outlive it.
  Bisection(Graph const& graph, Places const& places);

  // Sorts `objects` so that the first part comes first, in the order in which they were, and
  // returns how many it has: about `share` of the work. Objects that may not move are in it if they
  // are on one of the `left` places.
  std::size_t split(std::span<std::int32_t> objects, std::span<int const> left, double share);

 private:
  enum class Side : std::uint8_t { elsewhere, left, right };
  struct Bond {
    std::int32_t other;
    float strength;  // in seconds, were it cut
  };

  [[nodiscard]] static std::size_t index(int object) { return static_cast<std::size_t>(object); }
  [[nodiscard]] std::span<Bond const> bonds(int object) const {
    return {bonds_.data() + begin_[index(object)], bonds_.data() + begin_[index(object) + 1]};
  }
  [[nodiscard]] Side side(int object) const { return sides_[index(object)]; }
  // How much less is cut when the object changes sides.
  [[nodiscard]] double gain(int object) const;
  void change_side(int object);
  void begin(std::span<std::int32_t const> objects, std::span<int const> left, double share);
  [[nodiscard]] int outermost(std::int32_t first);
  void grow(std::span<std::int32_t const> objects);
  bool refine(std::span<std::int32_t const> objects);
  void offer(int object);

  Graph const& graph_;
  std::vector<Bond> bonds_;
  std::vector<std::size_t> begin_;
  std::vector<double> work_s_;
  std::vector<Side> sides_;
  std::vector<std::uint8_t> is_done_;
  std::vector<std::uint8_t> is_left_place_;
  IndexedHeap heap_;
  double left_s_{};
  double target_s_{};
  double slack_s_{};
};

}  // namespace makespan::graph
