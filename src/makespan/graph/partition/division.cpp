// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/partition/division.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <tuple>

#include "makespan/graph/partition/detail/bisection.hpp"

namespace makespan::graph {

namespace {

// Nodes, in them domains, in them places by number.
std::vector<int> places_in_order(Places const& places) {
  std::vector<int> order(static_cast<std::size_t>(places.count()));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](int place) {
    int const domain = places[place].domain;
    return std::tuple(places.node(domain), domain, place);
  });
  return order;
}

double speed_of(Places const& places, std::span<int const> some) {
  double sum = 0.0;
  for (int const place : some) sum += places[place].speed.value();
  return sum;
}

// How many are the first half: between nodes, if there are several, or domains, or anywhere; of
// such the one that halves the speed best.
std::size_t cut(Places const& places, std::span<int const> some) {
  auto const domain = [&](std::size_t i) { return places[some[i]].domain; };
  bool const has_nodes = places.node(domain(0)) != places.node(domain(some.size() - 1));
  bool const has_domains = domain(0) != domain(some.size() - 1);
  double const half = speed_of(places, some) / 2;
  double before = 0.0;
  double best = half;
  std::size_t chosen = 1;
  for (std::size_t i = 1; i < some.size(); ++i) {
    before += places[some[i - 1]].speed.value();
    bool const is_between_nodes = places.node(domain(i - 1)) != places.node(domain(i));
    bool const is_between_domains = domain(i - 1) != domain(i);
    // The dearest borders first: what is cut later is cut within a node, or a domain.
    if ((has_nodes && !is_between_nodes) || (has_domains && !is_between_domains)) continue;
    if (std::fabs(before - half) >= best) continue;
    best = std::fabs(before - half);
    chosen = i;
  }
  return chosen;
}

class Division {
 public:
  Division(Graph const& graph, Places const& places)
      : places_{places}, graph_{graph}, bisection_{graph, places}, mapping_{graph.now()} {}

  Mapping run() {
    std::vector<std::int32_t> objects(static_cast<std::size_t>(graph_.objects()));
    std::iota(objects.begin(), objects.end(), 0);
    std::vector<int> const order = places_in_order(places_);
    divide(objects, order);
    return std::move(mapping_);
  }

 private:
  void divide(std::span<std::int32_t> objects, std::span<int const> some) {
    if (objects.empty()) return;
    if (some.size() == 1) {
      for (std::int32_t const object : objects) {
        mapping_[static_cast<std::size_t>(object)] = some.front();
      }
      return;
    }
    std::size_t const first = cut(places_, some);
    auto const left = some.first(first);
    double const share = speed_of(places_, left) / speed_of(places_, some);
    std::size_t const count = bisection_.split(objects, left, share);
    divide(objects.first(count), left);
    divide(objects.subspan(count), some.subspan(first));
  }

  Places const& places_;
  Graph const& graph_;
  Bisection bisection_;
  Mapping mapping_;
};

}  // namespace

Mapping divide(Graph const& graph, Places const& places) {
  return Division(graph, places).run();
}

}  // namespace makespan::graph
