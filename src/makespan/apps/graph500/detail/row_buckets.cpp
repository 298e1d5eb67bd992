// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/graph500/detail/row_buckets.hpp"

#include <cstddef>

namespace makespan::graph500 {

namespace {

constexpr std::int64_t sorted_at_once = 262144;

}  // namespace

// A counting sort, in which each part of the arcs has places of its own in each bucket.
RowBuckets::RowBuckets(ThreadPool& pool, std::span<Arc const> arcs, std::int64_t first,
                       std::int64_t rows)
    : begins_(static_cast<std::size_t>((rows + rows_each - 1) / rows_each) + 1),
      arcs_(arcs.size()) {
  std::size_t const buckets = begins_.size() - 1;
  auto const parts =
      static_cast<std::size_t>((std::ssize(arcs) + sorted_at_once - 1) / sorted_at_once);
  auto const bucket_of = [&](Arc const& arc) {
    return static_cast<std::size_t>((std::int64_t{arc.from} - first) / rows_each);
  };
  std::vector<std::int64_t> places(parts * buckets);  // by part, then bucket
  auto const each_arc = [&](auto const& use) {
    pool.each_chunk(std::ssize(arcs), sorted_at_once,
                    [&](pgas::Endpoint&, std::int64_t begin, std::int64_t end) {
                      std::int64_t* const of_part =
                          places.data() +
                          static_cast<std::size_t>(begin / sorted_at_once) * buckets;
                      for (std::int64_t at = begin; at < end; ++at) {
                        Arc const& arc = arcs[static_cast<std::size_t>(at)];
                        use(of_part[bucket_of(arc)], arc);
                      }
                    });
  };
  each_arc([](std::int64_t& place, Arc const&) { ++place; });
  // Counts become places: bucket by bucket, and in each part by part, which keeps arcs in order.
  std::int64_t next = 0;
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    begins_[bucket] = next;
    for (std::size_t part = 0; part < parts; ++part) {
      std::int64_t& place = places[part * buckets + bucket];
      std::int64_t const count = place;
      place = next;
      next += count;
    }
  }
  begins_[buckets] = next;
  each_arc(
      [&](std::int64_t& place, Arc const& arc) { arcs_[static_cast<std::size_t>(place++)] = arc; });
}

}  // namespace makespan::graph500
