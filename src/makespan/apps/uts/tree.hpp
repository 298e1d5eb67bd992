// SPDX-License-Identifier: Apache-2.0
#pragma once

// The trees of UTS, the Unbalanced Tree Search benchmark: S. Olivier et al., "UTS: An Unbalanced
// Tree Search Benchmark", LCPC 2006, https://doi.org/10.1007/978-3-540-72521-3_18.
//
// A node is 20 bytes of SHA-1, from which follow how many children it has and, with a child's
// number, the child. So a tree is known by a few numbers, no part of it can be told without going
// there, and any process can go on from any node.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "makespan/apps/uts/detail/sha1_block.hpp"

namespace makespan::uts {

enum class TreeKind : std::uint8_t {
  binomial,   // `children` with probability `probability`, else none; the root `branching`
  geometric,  // geometric numbers whose mean depends on the depth, as `shape` says
};

// How the mean number of children of a geometric tree goes with depth d, from `branching` at the
// root; D is `depth`.
enum class TreeShape : std::uint8_t {
  linear,       // branching (1 - d/D)
  exponential,  // branching d^(-ln branching / ln D)
  cyclic,       // branching^sin(2 pi d/D), 0 beyond 5 D
  fixed,        // branching above D, 0 from there on
};

struct TreeSettings {
  TreeKind kind{TreeKind::geometric};
  double branching{4.0};
  int seed{0};
  TreeShape shape{TreeShape::linear};
  int depth{6};
  double probability{0.0};
  int children{0};

  friend bool operator==(TreeSettings const&, TreeSettings const&) = default;
};

// What is known of a tree by others' counts.
struct KnownTree {
  std::string_view name;
  TreeSettings settings;
  std::int64_t nodes;
  std::int64_t leaves;
  int depth;
};

// Sample trees of UTS's distribution, with the sizes that it prints: T1, T5, T2, T3, T1L, T3L.
[[nodiscard]] std::vector<KnownTree> const& known_trees();
// Throws InputError that names the nearest.
[[nodiscard]] KnownTree const& known_tree(std::string_view name);

// Plain data, which is copied between images.
struct Node {
  Digest state{};
  std::int32_t depth{};

  friend bool operator==(Node const&, Node const&) = default;
};

// Immutable. Tested by tests/apps/uts/tree_test.cpp.
class Tree {
 public:
  // Throws InputError on settings that are none: branching below 0, probability outside 0 … 1, a
  // binomial tree that is infinite on average, a depth below 1; of an exponential shape a depth
  // below 2, and branching below 1.
  explicit Tree(TreeSettings const& settings);

  [[nodiscard]] TreeSettings const& settings() const { return settings_; }
  [[nodiscard]] Node root() const;
  // At most 100, but for the root of a binomial tree.
  [[nodiscard]] int children(Node const& node) const;
  // `number` from 0.
  [[nodiscard]] static Node child(Node const& node, int number);

 private:
  [[nodiscard]] double mean_children(int depth) const;

  TreeSettings settings_;
  std::vector<double> log_not_;  // of a geometric tree, by depth, ln(1 - p); empty: one for all
};

}  // namespace makespan::uts
