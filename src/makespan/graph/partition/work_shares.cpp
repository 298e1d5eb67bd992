// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/partition/work_shares.hpp"

#include <algorithm>
#include <numeric>

namespace makespan::graph {

namespace {

// Less counts as none, as speeds, which go up to 1e30, could not be divided by it.
constexpr double work_least = 1e-250;

// All objects' work by kind; at least a millionth of the greatest, so that a kind on which nothing
// takes time does not get everything. 1 where nothing has work.
std::vector<double> work_of_kinds(Graph const& graph) {
  std::vector<double> sum(static_cast<std::size_t>(graph.kinds()));
  for (int object = 0; object < graph.objects(); ++object) {
    for (int kind = 0; kind < graph.kinds(); ++kind) {
      sum[static_cast<std::size_t>(kind)] += graph.work(object, kind).value();
    }
  }
  double const greatest = std::ranges::max(sum);
  for (double& one : sum) one = greatest >= work_least ? std::max(one, 1e-6 * greatest) : 1.0;
  return sum;
}

}  // namespace

WorkShares work_shares(Graph const& graph, Places const& places) {
  std::vector<double> const work = work_of_kinds(graph);
  WorkShares shares;
  for (Place const& place : places.all()) {
    shares.share.push_back(place.speed.value() / work[static_cast<std::size_t>(place.kind)]);
  }
  double const all = std::accumulate(shares.share.begin(), shares.share.end(), 0.0);
  std::vector<double> seconds_per_work(work.size());
  for (int place = 0; place < places.count(); ++place) {
    double& share = shares.share[static_cast<std::size_t>(place)];
    share /= all;
    // What a unit of work takes there, by the part of all work that goes there.
    seconds_per_work[static_cast<std::size_t>(places[place].kind)] +=
        share / places[place].speed.value();
  }

  shares.weight.resize(static_cast<std::size_t>(graph.objects()));
  bool has_work = false;
  for (int object = 0; object < graph.objects(); ++object) {
    double& weight = shares.weight[static_cast<std::size_t>(object)];
    for (int kind = 0; kind < graph.kinds(); ++kind) {
      weight += seconds_per_work[static_cast<std::size_t>(kind)] * graph.work(object, kind).value();
    }
    has_work = has_work || weight > 0.0;
  }
  if (!has_work) std::ranges::fill(shares.weight, 1.0);
  return shares;
}

}  // namespace makespan::graph
