// SPDX-License-Identifier: Apache-2.0
// Goal: edges are those of a Kronecker graph whose vertices are renumbered one to one. Method: all
// numbers of small permutations; degrees of a small graph against what the probabilities say.
#include "makespan/apps/graph500/kronecker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "makespan/base/error.hpp"

namespace makespan::graph500 {
namespace {

TEST(VertexPermutationTest, is_one_to_one) {
  for (int bits = 1; bits <= 16; ++bits) {
    for (std::uint64_t const seed : {1U, 2U, 77U}) {
      VertexPermutation const permutation(bits, seed);
      std::vector<bool> is_taken(std::size_t{1} << static_cast<unsigned>(bits));
      for (std::size_t vertex = 0; vertex < is_taken.size(); ++vertex) {
        Vertex const to = permutation(static_cast<Vertex>(vertex));
        ASSERT_LT(to, is_taken.size()) << bits;
        ASSERT_FALSE(is_taken[to]) << bits << " bits, vertex " << vertex;
        is_taken[to] = true;
      }
    }
  }
}

TEST(VertexPermutationTest, leaves_31_bits_within_31_bits) {
  VertexPermutation const permutation(31, 5);
  for (Vertex vertex = 0x7FFF'FF00U; vertex < 0x8000'0000U; ++vertex) {
    EXPECT_LT(permutation(vertex), 0x8000'0000U);
  }
}

std::vector<std::int64_t> degrees_of(KroneckerGraph const& graph) {
  std::vector<std::int64_t> degrees(static_cast<std::size_t>(graph.vertices()));
  for (std::int64_t number = 0; number < graph.edges(); ++number) {
    Edge const edge = graph.edge(number);
    ++degrees[edge.from];
    ++degrees[edge.to];
  }
  return degrees;
}

TEST(KroneckerGraphTest, has_skewed_degrees) {
  std::vector<std::int64_t> const degrees = degrees_of(KroneckerGraph({.scale = 12}));
  auto const isolated = std::ranges::count(degrees, 0);

  // 0.76^12 of both ends of 65,536 edges are the first vertex: 2 * 2,435 on average. Of even
  // degrees, around 32, one in 2^46 vertices would have none.
  std::int64_t const most = *std::ranges::max_element(degrees);
  EXPECT_GT(most, 4'000);
  EXPECT_LT(most, 6'000);
  EXPECT_GT(isolated, 400);
}

TEST(KroneckerGraphTest, has_the_specified_quarters) {
  // Of scale 1, an edge is a quarter, but for the numbers of the two vertices.
  KroneckerGraph const graph({.scale = 1, .edge_factor = 1024});
  std::int64_t loops = 0;
  for (std::int64_t number = 0; number < 100'000; ++number) {
    Edge const edge = graph.edge(number);
    loops += edge.from == edge.to ? 1 : 0;
  }

  // A + D = 0.62, with a standard deviation of 0.0015.
  EXPECT_NEAR(static_cast<double>(loops) / 1e5, 0.62, 0.008);
}

TEST(KroneckerGraphTest, says_nothing_of_degrees_by_numbers) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    std::vector<std::int64_t> const degrees =
        degrees_of(KroneckerGraph({.scale = 12, .seed = seed}));
    std::array<double, 4> quarters{};
    std::array<double, 4> residues{};
    for (std::size_t vertex = 0; vertex < degrees.size(); ++vertex) {
      auto const degree = static_cast<double>(degrees[vertex]) / (2.0 * 65'536);
      quarters[vertex / 1024] += degree;
      residues[vertex % 4] += degree;
    }
    // A quarter each, and the four first vertices, of 4, 1, 1 and 1 in a hundred edges, anywhere.
    // Without permutation the first quarter has 0.58.
    for (double const part : quarters) EXPECT_NEAR(part, 0.25, 0.1) << seed;
    for (double const part : residues) EXPECT_NEAR(part, 0.25, 0.1) << seed;
  }
}

TEST(KroneckerGraphTest, depends_on_its_seed) {
  KroneckerGraph const one({.scale = 20, .seed = 1});
  KroneckerGraph const other({.scale = 20, .seed = 2});
  int equal = 0;
  for (std::int64_t number = 0; number < 100; ++number) {
    equal += one.edge(number) == other.edge(number) ? 1 : 0;
  }
  EXPECT_EQ(equal, 0);
}

TEST(KroneckerGraphTest, refuses_settings_that_are_none) {
  EXPECT_THROW(KroneckerGraph({.scale = 0}), InputError);
  EXPECT_THROW(KroneckerGraph({.scale = 32}), InputError);
  EXPECT_THROW(KroneckerGraph({.scale = 4, .edge_factor = 0}), InputError);
}

}  // namespace
}  // namespace makespan::graph500
