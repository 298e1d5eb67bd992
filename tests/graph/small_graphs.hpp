// SPDX-License-Identifier: Apache-2.0
#pragma once

// Graphs and machines for tests, by hand and at random.

#include <cstdint>
#include <random>
#include <vector>

#include "makespan/graph/model/graph.hpp"
#include "makespan/graph/model/places.hpp"

namespace makespan::graph {

// So many equal places in one domain, a node; messages cost a microsecond and a byte a nanosecond.
inline Places equal_places(int count) {
  std::vector<Place> const places(static_cast<std::size_t>(count));
  return Places(places, {Domain{}}, {.latency_s = {1e-6}, .bandwidth_bytes_s = {1e9}});
}

// One domain, places of these speeds.
inline Places places_of_speeds(std::vector<double> const& speeds) {
  std::vector<Place> places;
  for (double const speed : speeds) places.push_back({.speed = Speed{speed}});
  return Places(std::move(places), {Domain{}}, {.latency_s = {1e-6}, .bandwidth_bytes_s = {1e9}});
}

// `domains` domains of `each` equal places, two domains to a node; a message costs 1 us within a
// domain, 2 us within a node, 4 us between nodes, and a byte as many nanoseconds.
inline Places domains_of_places(int domains, int each) {
  std::vector<Place> places;
  std::vector<Domain> all;
  DomainCosts costs;
  for (int domain = 0; domain < domains; ++domain) {
    all.push_back({.node = domain / 2});
    for (int i = 0; i < each; ++i) places.push_back({.domain = domain});
    for (int other = 0; other < domains; ++other) {
      double const factor = domain == other ? 1.0 : domain / 2 == other / 2 ? 2.0 : 4.0;
      costs.latency_s.push_back(1e-6 * factor);
      costs.bandwidth_bytes_s.push_back(1e9 / factor);
    }
  }
  return Places(std::move(places), std::move(all), std::move(costs));
}

// The same but for bandwidths: another one from each domain to each other, up to ten times as much.
inline Places uneven_places(std::uint64_t seed, int domains, int each) {
  Places const even = domains_of_places(domains, each);
  std::mt19937_64 random{seed};
  std::vector<Domain> all;
  DomainCosts costs;
  for (int domain = 0; domain < domains; ++domain) {
    all.push_back({.node = even.node(domain)});
    for (int other = 0; other < domains; ++other) {
      costs.latency_s.push_back(even.latency_s(domain, other));
      double const factor = std::uniform_real_distribution{1.0, 10.0}(random);
      costs.bandwidth_bytes_s.push_back(factor * even.bandwidth_bytes_s(domain, other));
    }
  }
  return Places({even.all().begin(), even.all().end()}, std::move(all), std::move(costs));
}

// Objects of this work, all at place 0, that say nothing.
inline GraphColumns silent(std::vector<double> work) {
  GraphColumns columns;
  columns.place.resize(work.size());
  columns.work = std::move(work);
  return columns;
}

inline void add_edge(GraphColumns& columns, int from, int to, double messages, double bytes) {
  columns.from.push_back(from);
  columns.to.push_back(to);
  columns.messages.push_back(messages);
  columns.edge_bytes.push_back(bytes);
}

// Objects of random work that say something to `degree` random others each, dealt out in blocks.
inline GraphColumns random_graph(std::uint64_t seed, int objects, int degree, int places) {
  std::mt19937_64 random{seed};
  GraphColumns columns;
  for (int object = 0; object < objects; ++object) {
    columns.work.push_back(0.5e-3 + std::uniform_real_distribution{0.0, 1e-3}(random));
    columns.bytes.push_back(1000.0 * static_cast<double>(1 + random() % 9));
    columns.place.push_back(static_cast<std::int32_t>(std::int64_t{object} * places / objects));
    for (int i = 0; i < degree; ++i) {
      auto const other = static_cast<int>(random() % static_cast<std::uint64_t>(objects));
      add_edge(columns, object, other, static_cast<double>(1 + random() % 3),
               static_cast<double>(random() % 10'000));
    }
  }
  return columns;
}

}  // namespace makespan::graph
