// SPDX-License-Identifier: Apache-2.0
// Goal: the edge list is the same for any number of threads and images. Method: edge by edge.
#include "makespan/apps/graph500/edge_list.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "graph500_fixture.hpp"

namespace makespan::graph500 {
namespace {

using EdgeListTest = Graph500Test;

TEST_F(EdgeListTest, is_the_same_however_it_is_cut) {
  KroneckerGraph const list({.scale = 11, .edge_factor = 17});
  std::int64_t const image = runtime.image().value();
  for (int threads = 1; threads <= threads_max; ++threads) {
    ThreadPool pool(runtime, threads);
    std::vector<Edge> const own = own_edges(pool, list);
    // How many are before this image's.
    std::int64_t const until =
        runtime.team().inclusive_scan_all(pgas::ReduceOp::sum, std::int64_t{std::ssize(own)});
    EXPECT_TRUE(image < runtime.images() - 1 || until == list.edges());
    for (std::size_t at = 0; at < own.size(); ++at) {
      ASSERT_EQ(own[at], list.edge(until - std::ssize(own) + static_cast<std::int64_t>(at)));
    }
  }
}

}  // namespace
}  // namespace makespan::graph500
