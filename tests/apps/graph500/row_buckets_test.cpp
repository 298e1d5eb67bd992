// SPDX-License-Identifier: Apache-2.0
// Goal: each arc is in the bucket of its vertex, once and in order. Method: arcs of several parts
// and buckets; sequential filters.
#include "makespan/apps/graph500/detail/row_buckets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "graph500_fixture.hpp"

namespace makespan::graph500 {
namespace {

using RowBucketsTest = Graph500Test;

TEST_F(RowBucketsTest, have_each_arc_once) {
  constexpr std::int64_t first = 640;
  constexpr std::int64_t rows = 2 * RowBuckets::rows_each + 5;
  std::vector<Arc> arcs(600'000);
  for (std::uint32_t at = 0; at < arcs.size(); ++at) {
    arcs[at] = {.from = static_cast<Vertex>(first + at * 7919U % rows), .to = at};
  }
  for (int threads = 1; threads <= threads_max; ++threads) {
    ThreadPool pool(runtime, threads);
    RowBuckets const buckets(pool, arcs, first, rows);
    ASSERT_EQ(buckets.count(), 3);
    for (std::int64_t bucket = 0; bucket < 3; ++bucket) {
      std::vector<Arc> expected;
      std::ranges::copy_if(arcs, std::back_inserter(expected), [&](Arc const& arc) {
        return (std::int64_t{arc.from} - first) / RowBuckets::rows_each == bucket;
      });
      EXPECT_TRUE(std::ranges::equal(buckets.arcs(bucket), expected)) << bucket;
    }
  }
}

TEST_F(RowBucketsTest, may_be_empty) {
  ThreadPool pool(runtime, 2);
  EXPECT_EQ(RowBuckets(pool, {}, 0, 0).count(), 0);
  EXPECT_TRUE(RowBuckets(pool, {}, 0, 10).arcs(0).empty());
}

}  // namespace
}  // namespace makespan::graph500
