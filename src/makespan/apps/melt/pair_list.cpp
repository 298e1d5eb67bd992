// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/melt/pair_list.hpp"

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

// An entry, and where its rows are before they are put in its order.
struct FoundEntry {
  PairEntry entry;
  std::uint32_t row_begin = 0;
};
struct FoundRows {
  std::vector<FoundEntry> entries;
  std::vector<std::uint32_t> rows;
};

// The entries of one cluster's atoms, from what the search found for it.
void append_cluster(std::span<ClusterPair const> found, std::uint32_t first_slot,
                    std::span<std::uint32_t const> second_slots, FoundRows& to) {
  for (std::uint32_t atom = 0; atom < cluster_atoms; ++atom) {
    auto const begin = static_cast<std::uint32_t>(to.rows.size());
    for (ClusterPair const& pair : found) {
      if ((pair.atoms >> atom & 1U) != 0) {
        to.rows.push_back(second_slots[pair.second] * slot_doubles);
      }
    }
    auto const count = static_cast<std::uint32_t>(to.rows.size()) - begin;
    if (count == 0) continue;
    to.entries.push_back({{.position = found.front().first * cluster_doubles + atom,
                           .force = first_slot * cluster_doubles + atom,
                           .rows = count},
                          begin});
  }
}

// Entries with as many rows one after another: the loop over rows then ends after as many as for
// the atom before, which processors foresee.
void put_few_rows_first(FoundRows const& found, PairList& list) {
  std::uint32_t most = 0;
  for (FoundEntry const& one : found.entries) most = std::max(most, one.entry.rows);
  std::vector<std::uint32_t> place(most + 2, 0);
  for (FoundEntry const& one : found.entries) ++place[one.entry.rows + 1];
  for (std::size_t rows = 1; rows < place.size(); ++rows) place[rows] += place[rows - 1];
  std::vector<std::uint32_t> order(found.entries.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    order[place[found.entries[i].entry.rows]++] = i;
  }
  list.rows.reserve(found.rows.size());
  list.entries.reserve(order.size());
  for (std::uint32_t const i : order) {
    auto const& [entry, begin] = found.entries[i];
    list.entries.push_back(entry);
    auto const rows = std::span(found.rows).subspan(begin, entry.rows);
    list.rows.insert(list.rows.end(), rows.begin(), rows.end());
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
    first_slots[pair.first] = 1;
    second_slots[pair.second] = 1;
  }
  PairList list;
  list.first_clusters = named_clusters(first_slots);
  list.second_clusters = named_clusters(second_slots);
  FoundRows rows;
  while (!found.empty()) {
    auto const own = std::ranges::find_if(
        found, [&](ClusterPair const& pair) { return pair.first != found.front().first; });
    auto const count = static_cast<std::size_t>(own - found.begin());
    append_cluster(found.first(count), first_slots[found.front().first], second_slots, rows);
    found = found.subspan(count);
  }
  put_few_rows_first(rows, list);
  return list;
}

}  // namespace makespan::melt
