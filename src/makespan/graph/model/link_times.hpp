// SPDX-License-Identifier: Apache-2.0
#pragma once

// How long the links between nodes are busy in a phase.

#include <algorithm>
#include <span>
#include <vector>

#include "makespan/graph/model/places.hpp"

namespace makespan::graph {

// When a link ends that is busy for so long, and has waited for the first object that sends, though
// no longer than it is busy: a few bytes do not count as a whole object (docs/decisions/0159).
[[nodiscard]] inline double link_end_s(double busy_s, double wait_s) {
  return busy_s + std::min(busy_s, wait_s);
}

// A node has one link, which carries what its places send to other nodes and, at the same time,
// what they get from there: bytes over the bandwidth in each direction. It waits `wait_s`
// (link_end_s()). No links where there is one node. `places` is to outlive it. Tested by
// tests/graph/model/link_times_test.cpp.
class LinkTimes {
 public:
  LinkTimes(Places const& places, double wait_s)
      : places_{&places},
        wait_s_{wait_s},
        in_s_(places.nodes() > 1 ? static_cast<std::size_t>(places.nodes()) : 0),
        out_s_(in_s_) {}

  [[nodiscard]] bool are_any() const { return !in_s_.empty(); }
  // By node, without what it waits [s].
  [[nodiscard]] std::span<double const> in_s() const { return in_s_; }
  [[nodiscard]] std::span<double const> out_s() const { return out_s_; }

  // Bytes from a domain to another; below 0 they are sent no more.
  void add(int from, int to, double bytes) {
    if (!places_->is_linked(from, to)) return;
    double const taken_s = bytes * places_->seconds_per_byte(from, to);
    out_s_[static_cast<std::size_t>(places_->node(from))] += taken_s;
    in_s_[static_cast<std::size_t>(places_->node(to))] += taken_s;
  }

  // Of one node, the busier direction, with what it waits.
  [[nodiscard]] double node_s(int node) const {
    auto const at = static_cast<std::size_t>(node);
    return link_end_s(std::max(in_s_[at], out_s_[at]), wait_s_);
  }
  // Of the link that ends last, in either direction; 0 without links.
  [[nodiscard]] double longest_s() const { return link_end_s(longest_busy_s(), wait_s_); }
  // Of the same, without what it waits.
  [[nodiscard]] double longest_busy_s() const {
    if (!are_any()) return 0.0;
    return std::max(std::ranges::max(in_s_), std::ranges::max(out_s_));
  }
  // The node of that link. Only where there are links.
  [[nodiscard]] int longest_node() const {
    auto const in = std::ranges::max_element(in_s_);
    auto const out = std::ranges::max_element(out_s_);
    return static_cast<int>(*in >= *out ? in - in_s_.begin() : out - out_s_.begin());
  }

 private:
  Places const* places_;
  double wait_s_;
  std::vector<double> in_s_;
  std::vector<double> out_s_;
};

}  // namespace makespan::graph
