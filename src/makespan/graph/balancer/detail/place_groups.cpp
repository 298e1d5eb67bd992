// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/detail/place_groups.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "makespan/base/contracts.hpp"

namespace makespan::graph {

namespace {

// Of fewer places one knows as much as all do.
constexpr int group_size_min = 8;

// Places by node, each node's by domain.
std::vector<std::vector<int>> places_of_nodes(Places const& places) {
  std::vector<std::vector<int>> of_node(static_cast<std::size_t>(places.nodes()));
  std::vector<int> order(static_cast<std::size_t>(places.count()));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](int place) { return places[place].domain; });
  for (int const place : order) {
    of_node[static_cast<std::size_t>(places.node(places[place].domain))].push_back(place);
  }
  // Numbers of nodes may have gaps.
  std::erase_if(of_node, [](std::vector<int> const& node) { return node.empty(); });
  return of_node;
}

// In equal parts of at most `size`.
std::vector<std::vector<int>> parts_of(std::vector<int> const& places, std::size_t size) {
  std::size_t const parts = (places.size() + size - 1) / size;
  std::vector<std::vector<int>> cut(parts);
  for (std::size_t at = 0; at < places.size(); ++at) {
    cut[at * parts / places.size()].push_back(places[at]);
  }
  return cut;
}

}  // namespace

PlaceGroups place_groups(Places const& places, int size) {
  MAKESPAN_EXPECT(size >= 0);
  if (size == 0)
    size = std::max(group_size_min, static_cast<int>(std::lround(std::sqrt(places.count()))));
  auto const wanted = static_cast<std::size_t>(size);
  PlaceGroups groups;
  bool is_open = false;  // the last group takes further nodes
  for (std::vector<int> const& node : places_of_nodes(places)) {
    if (2 * node.size() > 3 * wanted) {
      for (auto& part : parts_of(node, wanted)) groups.members.push_back(std::move(part));
      is_open = false;
      continue;
    }
    if (!is_open || 2 * (groups.members.back().size() + node.size()) > 3 * wanted) {
      groups.members.emplace_back();
    }
    groups.members.back().insert(groups.members.back().end(), node.begin(), node.end());
    is_open = groups.members.back().size() < wanted;
  }
  groups.group_of.resize(static_cast<std::size_t>(places.count()));
  for (int group = 0; group < groups.count(); ++group) {
    std::vector<int>& members = groups.members[static_cast<std::size_t>(group)];
    std::ranges::sort(members);
    for (int const place : members) groups.group_of[static_cast<std::size_t>(place)] = group;
  }
  return groups;
}

std::vector<WorkTransfer> work_transfers(std::span<double const> beyond_share,
                                         std::span<double const> least) {
  MAKESPAN_EXPECT(beyond_share.size() == least.size());
  struct Part {
    int group;
    double work;
  };
  std::vector<Part> more;
  std::vector<Part> less;
  bool gives = false;
  bool takes = false;
  for (std::size_t group = 0; group < beyond_share.size(); ++group) {
    gives = gives || beyond_share[group] > least[group];
    takes = takes || -beyond_share[group] > least[group];
  }
  for (std::size_t group = 0; group < beyond_share.size(); ++group) {
    double const beyond = beyond_share[group];
    bool const is_little = std::fabs(beyond) <= least[group];
    if (beyond > 0.0 && (takes || !is_little)) {
      more.push_back({.group = static_cast<int>(group), .work = beyond});
    } else if (beyond < 0.0 && (gives || !is_little)) {
      less.push_back({.group = static_cast<int>(group), .work = -beyond});
    }
  }
  std::vector<WorkTransfer> transfers;
  for (auto giver = more.begin(), taker = less.begin();
       giver != more.end() && taker != less.end();) {
    double const work = std::min(giver->work, taker->work);
    transfers.push_back({.from = giver->group, .to = taker->group, .work = work});
    giver->work -= work;
    taker->work -= work;
    // The smaller of the two is 0 to the last bit, so each turn is done with one of them.
    if (giver->work <= 0.0) ++giver;
    if (taker->work <= 0.0) ++taker;
  }
  return transfers;
}

}  // namespace makespan::graph
