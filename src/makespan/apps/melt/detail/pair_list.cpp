// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/melt/detail/pair_list.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "makespan/apps/melt/refusal.hpp"

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

// An atom of a cluster that is named, with at least a row: kernels read the first unasked.
bool is_inside(PairEntry const& entry, std::span<std::int32_t const> clusters) {
  std::uint32_t const slot = entry.force / cluster_doubles;
  std::uint32_t const atom = entry.force % cluster_doubles;
  if (slot >= clusters.size() || atom >= cluster_atoms || entry.rows == 0) return false;
  return entry.position == std::int64_t{clusters[slot]} * cluster_doubles + atom;
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

bool is_ascending(std::span<std::int32_t const> clusters) {
  std::int32_t before = -1;
  for (std::int32_t const cluster : clusters) {
    if (cluster <= before) return false;
    before = cluster;
  }
  return true;
}

void expect_sound(PairList const& list, Pairs pairs) {
  bool const are_named = is_ascending(list.first_clusters) && is_ascending(list.second_clusters);
  // Kernels put both sides' forces in one place there.
  bool const are_same =
      pairs == Pairs::between_cells || list.first_clusters == list.second_clusters;
  if (!are_named || !are_same) {
    refuse("a list of pairs between clusters that cannot be",
           "they ascend, and within a cell both sides have the same");
  }
  std::uint64_t rows = 0;
  for (PairEntry const& entry : list.entries) {
    if (!is_inside(entry, list.first_clusters)) {
      refuse("an entry of a list of pairs for position " + std::to_string(entry.position) +
                 ", force " + std::to_string(entry.force) + ", with " + std::to_string(entry.rows) +
                 " rows",
             std::to_string(list.first_clusters.size()) + " clusters have entries, of eight atoms");
    }
    rows += entry.rows;
  }
  if (rows != list.rows.size()) {
    refuse("a list of pairs of " + std::to_string(list.rows.size()) + " rows",
           "its entries have " + std::to_string(rows));
  }
  for (std::uint32_t const row : list.rows) {
    if (row % slot_doubles == 0 && row / slot_doubles < list.second_clusters.size()) continue;
    refuse("a row at " + std::to_string(row) + " of a list of pairs",
           std::to_string(list.second_clusters.size()) + " clusters have rows");
  }
}

}  // namespace makespan::melt
