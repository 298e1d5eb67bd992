// SPDX-License-Identifier: Apache-2.0
#pragma once

// A job for tests of graphs, and edges that are dealt out among its images. One for all tests of a
// suite: to open it takes longer than most of them.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "makespan/apps/graph500/detail/vertex.hpp"
#include "makespan/apps/graph500/kronecker.hpp"
#include "makespan/apps/graph500/thread_pool.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::graph500 {

class Graph500Test : public testing::Test {
 protected:
  static constexpr int threads_max = 3;

  static void SetUpTestSuite() { job.emplace(pgas::RuntimeOptions{.threads = threads_max}); }
  static void TearDownTestSuite() {
    job->finish_all();
    job.reset();
  }

  // Every so-many-th is this image's.
  [[nodiscard]] std::vector<Edge> dealt(std::vector<Edge> const& edges) const {
    std::vector<Edge> own;
    auto const images = static_cast<std::size_t>(runtime.images());
    for (auto at = static_cast<std::size_t>(runtime.image().value()); at < edges.size();
         at += images) {
      own.push_back(edges[at]);
    }
    return own;
  }

  static std::vector<Edge> all_edges(KroneckerGraph const& list) {
    std::vector<Edge> edges;
    for (std::int64_t at = 0; at < list.edges(); ++at) edges.push_back(list.edge(at));
    return edges;
  }

  pgas::Runtime& runtime{*job};

 private:
  static inline std::optional<pgas::Runtime> job;
};

}  // namespace makespan::graph500
