// SPDX-License-Identifier: Apache-2.0
#pragma once

// Arcs by groups of the vertices that they belong to, so that a thread which makes the rows of a
// group shares none with another, and stays within its cache.

#include <cstdint>
#include <span>
#include <vector>

#include "makespan/apps/graph500/detail/arc_exchange.hpp"
#include "makespan/apps/graph500/thread_pool.hpp"

namespace makespan::graph500 {

// Tested by tests/apps/graph500/row_buckets_test.cpp.
class RowBuckets {
 public:
  // Rows of a bucket: of Graph500's 32 arcs each, with what is made of them, half a MiB.
  static constexpr std::int64_t rows_each = 1024;

  // Not collective. `arcs` belong to vertices `first` to `first + rows - 1`.
  RowBuckets(ThreadPool& pool, std::span<Arc const> arcs, std::int64_t first, std::int64_t rows);

  [[nodiscard]] std::int64_t count() const { return std::ssize(begins_) - 1; }
  // In the order that they had.
  [[nodiscard]] std::span<Arc const> arcs(std::int64_t bucket) const {
    auto const at = static_cast<std::size_t>(bucket);
    return {arcs_.data() + begins_[at], arcs_.data() + begins_[at + 1]};
  }

 private:
  std::vector<std::int64_t> begins_;  // of each bucket in arcs_, and the end
  std::vector<Arc> arcs_;
};

}  // namespace makespan::graph500
