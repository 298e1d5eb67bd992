// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/model/lower_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace makespan::graph {

namespace {

constexpr int rounds = 60;

// Of the places of each kind.
struct KindSpeeds {
  std::vector<double> sum;
  std::vector<double> greatest;
};

KindSpeeds kind_speeds(Graph const& graph, Places const& places) {
  auto const kinds = static_cast<std::size_t>(graph.kinds());
  KindSpeeds speeds{.sum = std::vector<double>(kinds), .greatest = std::vector<double>(kinds)};
  for (Place const& place : places.all()) {
    auto const kind = static_cast<std::size_t>(place.kind);
    speeds.sum[kind] += place.speed.value();
    speeds.greatest[kind] = std::max(speeds.greatest[kind], place.speed.value());
  }
  return speeds;
}

// Kinds that an object may be computed by.
template <class Visit>
void each_kind(Graph const& graph, Places const& places, KindSpeeds const& speeds, int object,
               Visit const& visit) {
  if (!graph.may_move(object)) {
    visit(places[graph.now()[static_cast<std::size_t>(object)]].kind);
    return;
  }
  for (int kind = 0; kind < graph.kinds(); ++kind) {
    if (speeds.sum[static_cast<std::size_t>(kind)] > 0.0) visit(kind);
  }
}

double largest_object_s(Graph const& graph, Places const& places, KindSpeeds const& speeds) {
  double largest = 0.0;
  for (int object = 0; object < graph.objects(); ++object) {
    double least = std::numeric_limits<double>::infinity();
    if (graph.may_move(object)) {
      each_kind(graph, places, speeds, object, [&](int kind) {
        least = std::min(least, graph.work(object, kind).value() /
                                    speeds.greatest[static_cast<std::size_t>(kind)]);
      });
    } else {
      least = places.time_of(graph, object, graph.now()[static_cast<std::size_t>(object)]).value();
    }
    largest = std::max(largest, least);
  }
  return largest;
}

// The dual's value at these prices, and how much work each kind would get.
double priced(Graph const& graph, Places const& places, KindSpeeds const& speeds,
              std::vector<double> const& prices, std::vector<double>& given) {
  double sum = 0.0;
  std::ranges::fill(given, 0.0);
  for (int object = 0; object < graph.objects(); ++object) {
    double least = std::numeric_limits<double>::infinity();
    int chosen = 0;
    each_kind(graph, places, speeds, object, [&](int kind) {
      double const cost = prices[static_cast<std::size_t>(kind)] * graph.work(object, kind).value();
      if (cost >= least) return;
      least = cost;
      chosen = kind;
    });
    sum += least;
    given[static_cast<std::size_t>(chosen)] += graph.work(object, chosen).value();
  }
  return sum;
}

// So that Σ prices · speeds = 1.
void scale(std::vector<double>& prices, KindSpeeds const& speeds) {
  double sum = 0.0;
  for (std::size_t kind = 0; kind < prices.size(); ++kind) sum += prices[kind] * speeds.sum[kind];
  for (double& price : prices) price /= sum;
}

// Prices of kinds that get more than their time rise, those of others fall, by less and less.
double divided_work_s(Graph const& graph, Places const& places, KindSpeeds const& speeds) {
  std::vector<double> prices(speeds.sum.size(), 1.0);
  std::vector<double> given(prices.size());
  scale(prices, speeds);
  double best = priced(graph, places, speeds, prices, given);
  for (int round = 1; round < rounds && prices.size() > 1; ++round) {
    double mean = 0.0;
    double all = 0.0;
    for (std::size_t kind = 0; kind < prices.size(); ++kind) {
      mean += given[kind];
      all += speeds.sum[kind];
    }
    mean /= all;
    if (!(mean > 0.0)) break;
    for (std::size_t kind = 0; kind < prices.size(); ++kind) {
      if (!(speeds.sum[kind] > 0.0)) continue;
      double const over = std::clamp(given[kind] / speeds.sum[kind] / mean - 1.0, -1.0, 1.0);
      prices[kind] *= std::exp(over / std::sqrt(round));
    }
    scale(prices, speeds);
    // Each round's value is a bound, whatever the prices: the greatest counts.
    best = std::max(best, priced(graph, places, speeds, prices, given));
  }
  return best;
}

}  // namespace

Seconds lower_bound(Graph const& graph, Places const& places) {
  KindSpeeds const speeds = kind_speeds(graph, places);
  return Seconds{
      std::max(largest_object_s(graph, places, speeds), divided_work_s(graph, places, speeds))};
}

}  // namespace makespan::graph
