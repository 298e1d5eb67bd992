// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/recursive_bisection.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "makespan/graph/balancer/bisection.hpp"
#include "makespan/graph/balancer/talk_graph.hpp"
#include "makespan/graph/balancer/work_shares.hpp"

namespace makespan::graph {

namespace {

// Places [first, last), by number, and their objects.
struct Part {
  int first;
  int last;
  std::span<std::int32_t> objects;
};

// Of the numbers in [first + 1, last) that `may_cut` allows, the nearest to the middle; 0 if none.
template <class MayCut>
int nearest_cut(Part const& part, MayCut const& may_cut) {
  int best = 0;
  int const twice_middle = part.first + part.last;
  for (int cut = part.first + 1; cut < part.last; ++cut) {
    if (!may_cut(cut)) continue;
    if (best == 0 || std::abs(2 * cut - twice_middle) < std::abs(2 * best - twice_middle)) {
      best = cut;
    }
  }
  return best;
}

// The first place of the second side.
int cut_of(Places const& places, Part const& part) {
  auto const domain = [&](int place) { return places[place].domain; };
  auto const node = [&](int place) { return places.node(domain(place)); };
  int cut = nearest_cut(part, [&](int at) { return node(at - 1) != node(at); });
  if (cut == 0) cut = nearest_cut(part, [&](int at) { return domain(at - 1) != domain(at); });
  return cut != 0 ? cut : nearest_cut(part, [](int) { return true; });
}

double share_of(WorkShares const& shares, int first, int last) {
  return std::accumulate(shares.share.begin() + first, shares.share.begin() + last, 0.0);
}

}  // namespace

Mapping RecursiveBisectionBalancer::map(Graph const& graph, Places const& places) const {
  Mapping mapping = graph.now();
  TalkGraph const talks(graph, places);
  WorkShares const shares = work_shares(graph, places);
  Bisection bisection(talks, shares.weight);
  std::vector<std::int32_t> objects(mapping.size());
  std::iota(objects.begin(), objects.end(), 0);

  std::vector<Part> open{{.first = 0, .last = places.count(), .objects = objects}};
  while (!open.empty()) {
    Part const part = open.back();
    open.pop_back();
    if (part.last - part.first == 1) {
      for (std::int32_t const object : part.objects) {
        mapping[static_cast<std::size_t>(object)] = part.first;
      }
      continue;
    }
    int const cut = cut_of(places, part);
    auto const bound = [&](std::int32_t object) {
      if (graph.may_move(object)) return Bound::to_neither;
      return graph.now()[static_cast<std::size_t>(object)] < cut ? Bound::to_first
                                                                 : Bound::to_second;
    };
    double const all = share_of(shares, part.first, part.last);
    std::size_t const count = bisection.cut(part.objects, bound,
                                            {.first = share_of(shares, part.first, cut) / all,
                                             .slack = 0.02 / (part.last - part.first)});
    open.push_back({.first = cut, .last = part.last, .objects = part.objects.subspan(count)});
    open.push_back({.first = part.first, .last = cut, .objects = part.objects.first(count)});
  }
  return mapping;
}

}  // namespace makespan::graph
