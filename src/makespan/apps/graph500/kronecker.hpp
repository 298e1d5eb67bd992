// SPDX-License-Identifier: Apache-2.0
#pragma once

// The edge lists of the Graph500 benchmark: Kronecker graphs, whose degrees are skewed.
//
// Source: the specification, https://graph500.org/?page_id=12, and D. Chakrabarti, Y. Zhan and
// C. Faloutsos, "R-MAT: A Recursive Model for Graph Mining", SDM 2004,
// https://doi.org/10.1137/1.9781611972740.43.
//
// An edge is a function of its number, so that any thread of any image makes any part of the list.
// Edges are drawn independently of each other: their order says nothing, and is not permuted.

#include <cstdint>
#include <vector>

#include "makespan/apps/graph500/detail/vertex.hpp"

namespace makespan::graph500 {

// One to one on the numbers below 2^bits, without a table: rounds of an odd factor, a sum and an
// xor with the upper bits, each of which can be undone. Immutable. Tested by
// tests/apps/graph500/kronecker_test.cpp.
class VertexPermutation {
 public:
  // `bits` is from 1 to 31.
  VertexPermutation(int bits, std::uint64_t seed);

  // Where `vertex` goes, which is below 2^bits.
  [[nodiscard]] Vertex operator()(Vertex vertex) const;

 private:
  static constexpr std::uint32_t rounds = 4;

  std::uint32_t mask_;
  std::uint32_t shift_;
  std::uint32_t factors_[rounds];
  std::uint32_t addends_[rounds];
};

struct KroneckerSettings {
  int scale{16};        // 2^scale vertices
  int edge_factor{16};  // edges per vertex
  std::uint64_t seed{1};
};

// Immutable. Tested by tests/apps/graph500/kronecker_test.cpp.
class KroneckerGraph {
 public:
  // Throws InputError unless scale is from 1 to 31, and the edge factor from 1 to 1024.
  explicit KroneckerGraph(KroneckerSettings const& settings);

  [[nodiscard]] std::int64_t vertices() const { return std::int64_t{1} << settings_.scale; }
  [[nodiscard]] std::int64_t edges() const { return vertices() * settings_.edge_factor; }
  // `number` from 0. Self loops and edges that are there twice are possible.
  [[nodiscard]] Edge edge(std::int64_t number) const;

 private:
  KroneckerSettings settings_;
  VertexPermutation permutation_;
};

}  // namespace makespan::graph500
