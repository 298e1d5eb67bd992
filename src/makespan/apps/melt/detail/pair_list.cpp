// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/melt/detail/pair_list.hpp"

#include <algorithm>
#include <cstddef>

namespace makespan::melt {
namespace {

// Numbers of those that are named, ascending; `slot_of` gets each one's place among them.
std::vector<std::int32_t> named_clusters(std::vector<std::uint32_t>& slot_of) {
  std::vector<std::int32_t> named;
  for (std::size_t cluster = 0; cluster < slot_of.size(); ++cluster) {
    if (slot_of[cluster] == 0) continue;
    slot_of[cluster] = static_cast<std::uint32_t>(named.size());
    named.push_back(static_cast<std::int32_t>(cluster));
  }
  return named;
}

// The entries of one cluster's atoms, from what the search found for it.
void append_cluster(std::span<ClusterPair const> found, std::uint32_t first_slot,
                    std::span<std::uint32_t const> second_slots, PairList& list) {
  for (std::uint32_t atom = 0; atom < cluster_atoms; ++atom) {
    auto const rows_before = list.rows.size();
    for (ClusterPair const& pair : found) {
      if ((pair.atoms >> atom & 1U) != 0) {
        list.rows.push_back(second_slots[pair.second] * slot_doubles);
      }
    }
    auto const rows = static_cast<std::uint32_t>(list.rows.size() - rows_before);
    if (rows == 0) continue;
    list.entries.push_back({.position = found.front().first * cluster_doubles + atom,
                            .force = first_slot * cluster_doubles + atom,
                            .rows = rows});
  }
}

}  // namespace

PairList pair_list_of(std::span<ClusterPair const> found, Pairs pairs, std::int64_t first,
                      std::int64_t second) {
  // Within a cell both sides' forces end up in one place, so that all clusters have theirs.
  std::uint32_t const named = pairs == Pairs::within_cell ? 1 : 0;
  std::vector<std::uint32_t> first_slots(static_cast<std::size_t>(first), named);
  std::vector<std::uint32_t> second_slots(static_cast<std::size_t>(second), named);
  for (ClusterPair const& pair : found) {
    // A mark at first; named_clusters() puts places in their stead.
    first_slots[pair.first] = 1;
    second_slots[pair.second] = 1;
  }
  PairList list;
  list.first_clusters = named_clusters(first_slots);
  list.second_clusters = named_clusters(second_slots);
  while (!found.empty()) {
    auto const own = std::ranges::find_if(
        found, [&](ClusterPair const& pair) { return pair.first != found.front().first; });
    auto const count = static_cast<std::size_t>(own - found.begin());
    append_cluster(found.first(count), first_slots[found.front().first], second_slots, list);
    found = found.subspan(count);
  }
  return list;
}

}  // namespace makespan::melt
