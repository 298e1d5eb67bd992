// SPDX-License-Identifier: Apache-2.0
#pragma once

// Cuts a set of objects in two, of given weights, with little talk across.

#include <cstdint>
#include <queue>
#include <span>
#include <vector>

#include "makespan/graph/balancer/talk_graph.hpp"

namespace makespan::graph {

// Where an object must be, if it must.
enum class Bound { to_neither, to_first, to_second };

// Of the weight of what is cut.
struct BisectionShares {
  double first;  // what the first side is to get
  double slack;  // by which less talk may make it miss that; else by the heaviest object's half
};

// The first side grows: from the objects that are bound to it, or else from one at the rim of the
// set (the last that a breadth-first search reaches), each time by the object that has most talk
// with it and least with the rest (greedy graph growing: Karypis, Kumar, "A fast and high quality
// multilevel scheme for partitioning irregular graphs", SIAM J. Sci. Comput. 20(1), 1998,
// https://doi.org/10.1137/S1064827595287997). Then one pass in which every object may change sides
// once, the most talk saved first, also when that is negative, and what comes after the best cut is
// taken back (Fiduccia, Mattheyses, "A linear-time heuristic for improving network partitions", DAC
// 1982, https://doi.org/10.1109/DAC.1982.1585498). Heaps take the place of its buckets, since
// costs are no small whole numbers.
//
// O((objects + talks) log objects) of the set that is cut. Tested by
// tests/graph/balancer/bisection_test.cpp.
class Bisection {
 public:
  // Both are to outlive it. `weights` by object.
  Bisection(TalkGraph const& talks, std::vector<double> const& weights);

  // Brings the objects of the first side to the front of `objects`, the order otherwise kept, and
  // returns how many they are. `bound` tells of an object where it must be.
  template <class Binding>
  [[nodiscard]] std::size_t cut(std::span<std::int32_t> objects, Binding const& bound,
                                BisectionShares const& shares) {
    begin(objects);
    for (std::int32_t const object : objects) bind(object, bound(object));
    return cut_bound(objects, shares);
  }

 private:
  enum class Side : std::uint8_t { first, second };

  // Who could change sides; what was saved by it when it was put in may be out of date.
  struct Candidate {
    double saved_s;
    std::int64_t number;  // of equals the one that came first
    std::int32_t object;

    friend bool operator<(Candidate const& a, Candidate const& b) {
      return a.saved_s < b.saved_s || (a.saved_s == b.saved_s && a.number > b.number);
    }
  };

  void begin(std::span<std::int32_t const> objects);
  void bind(std::int32_t object, Bound bound);
  [[nodiscard]] std::size_t cut_bound(std::span<std::int32_t> objects,
                                      BisectionShares const& shares);
  [[nodiscard]] std::int32_t rim_of(std::span<std::int32_t const> objects);
  void grow(std::span<std::int32_t const> objects, double target);
  void refine(std::span<std::int32_t const> objects, double target, double slack);
  // The next candidate that is up to date and free.
  [[nodiscard]] std::int32_t next_candidate();
  void offer(std::int32_t object);
  void change_side(std::int32_t object);
  [[nodiscard]] bool is_member(std::int32_t object) const { return set_of_[index(object)] == set_; }
  static std::size_t index(std::int32_t object) { return static_cast<std::size_t>(object); }

  TalkGraph const* talks_;
  std::vector<double> const* weights_;
  std::int32_t set_ = 0;              // the number of the present cut
  std::vector<std::int32_t> set_of_;  // by object, as all below: the last cut that it was part of
  std::vector<Side> side_;
  std::vector<char> is_bound_;
  std::vector<char> is_done_;    // does not change sides any more
  std::vector<double> saved_s_;  // talk across, less talk within, its side
  std::priority_queue<Candidate> candidates_;
  std::int64_t offered_ = 0;
  double first_weight_ = 0.0;
};

}  // namespace makespan::graph
