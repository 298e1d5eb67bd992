// SPDX-License-Identifier: Apache-2.0
// Sums of moments over blocks, in an order that does not depend on who finishes which block when.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <vector>

namespace makespan::asian {

// A block's sums join its neighbour's as soon as both are there: block 2i with 2i + 1, that pair
// with the next, and so on, as in a binary counter. The association, and with it every rounding, is
// a function of the number of blocks alone.
class MomentTree {
 public:
  // Adds the moments of `block`; each block once, in any order. All calls with spans of one size.
  void add(std::int64_t block, std::span<double const> moments);
  // Takes over another tree's blocks; the two have none in common.
  void add_all(MomentTree&& other);
  // The sums over all blocks, which must be 0, 1, …, n - 1 for some n > 0.
  [[nodiscard]] std::vector<double> total() const;
  [[nodiscard]] bool empty() const { return nodes_.empty(); }

  // What a tree is made of, for its way between images.
  struct Node {
    int level;           // holds 2^level blocks
    std::int64_t index;  // from block index · 2^level
    std::vector<double> moments;
  };
  struct HighestFirst {
    bool operator()(Node const& a, Node const& b) const {
      return a.level != b.level ? a.level > b.level : a.index < b.index;
    }
  };
  using Nodes = std::multiset<Node, HighestFirst>;
  [[nodiscard]] Nodes const& nodes() const { return nodes_; }
  void add_node(Node node);

 private:
  // Those that wait for a neighbour: few where blocks come about in their order, and found at once
  // where they do not.
  Nodes nodes_;
};

// Sums of strands, shape (moments, strand_count), in a fixed tree into moments.
void add_up_strands(std::span<double const> strands, std::span<double> moments);

}  // namespace makespan::asian
