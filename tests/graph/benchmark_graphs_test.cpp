// SPDX-License-Identifier: Apache-2.0
// Goal: the benchmarks are those that were published. Method: counts and imbalances from their
// sources, worked out by hand or by other programs.
#include "graph/benchmark_graphs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "makespan/graph/model/mapping_quality.hpp"

namespace makespan::graph {
namespace {

double sum(std::vector<double> const& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST(BenchmarkGraphs, leanmd_has_as_many_objects_as_published) {
  EXPECT_EQ(leanmd({5, 5, 5}, 4).place.size(), 1875U);  // Pilla et al. 2012
  EXPECT_EQ(leanmd({6, 6, 5}, 4).place.size(), 2700U);
}

// 21,750 particles, 52.1 M pairs a step, the heaviest compute 2.06 times the mean.
TEST(BenchmarkGraphs, leanmd_has_computes_of_its_ramp) {
  GraphColumns const columns = leanmd({5, 5, 5}, 4);
  std::vector<double> const computes(columns.work.begin() + 125, columns.work.end());
  double const mean = sum(computes) / static_cast<double>(computes.size());

  EXPECT_NEAR(sum(computes) / (20 * 4e-9), 52.1e6, 0.1e6);
  double const particles = sum({columns.work.begin(), columns.work.begin() + 125}) / (20 * 100e-9);
  EXPECT_NEAR(particles, 21'750, 0.5);
  EXPECT_NEAR(*std::ranges::max_element(computes) / mean, 2.06, 0.02);
  EXPECT_NEAR(*std::ranges::min_element(computes) / mean, 0.17, 0.01);
}

// 256 blocks; 8 faces of 256 KiB each, 537 MB a step; 21.4 MB a block.
TEST(BenchmarkGraphs, stencil4d_sends_its_faces) {
  GraphColumns const columns = stencil4d(4, 32);

  EXPECT_EQ(columns.place.size(), 256U);
  EXPECT_EQ(columns.from.size(), 2048U);
  EXPECT_NEAR(sum(columns.edge_bytes) / 10, 537e6, 1e6);
  EXPECT_NEAR(columns.bytes.front(), 21.4e6, 0.05e6);
  EXPECT_EQ(Graph(columns).sent(0).size(), 8U);
}

TEST(BenchmarkGraphs, kneighbor_is_a_ring_of_fourteen_neighbours) {
  Graph const graph(kneighbor(400, 48));

  for (int object : {0, 17, 399}) {
    ASSERT_EQ(graph.sent(object).size(), 14U);
    for (Traffic const& out : graph.sent(object)) {
      int const apart = std::abs(out.other - object);
      EXPECT_EQ(std::min(apart, 400 - apart) % 5, 0);
      EXPECT_LE(std::min(apart, 400 - apart), 35);
    }
    EXPECT_EQ(graph.received(object).size(), 14U);
  }
}

TEST(BenchmarkGraphs, machines_have_the_cores_of_their_names) {
  EXPECT_EQ(numa32().count(), 32);
  EXPECT_EQ(numa48().count(), 48);
  EXPECT_EQ(numa48().domains(), 8);
  EXPECT_EQ(cluster20x4().count(), 80);
  // From the memory of die 1, read at die 0, and the other way round.
  EXPECT_DOUBLE_EQ(numa48().nuco_factor(1, 0), 121.8 / 57.67);
  EXPECT_DOUBLE_EQ(numa48().nuco_factor(0, 1), 122.4 / 57.22);
  EXPECT_DOUBLE_EQ(numa32().nuco_factor(0, 3), 1.49);
}

}  // namespace
}  // namespace makespan::graph
