// SPDX-License-Identifier: Apache-2.0
// What every balancer makes of the published benchmarks, and how long it takes to decide, on one
// thread.
//
//   balancer_bench [rounds [objects_max [balancer]]]
//
// Prints a line of JSON for each balancer, benchmark and round; balancers take turns. The phase is
// the predicted one (phase_time.hpp), over its lower bound. Graphs of more than objects_max objects
// are left out. `place_ms`: of balancers whose places decide together, what the place that takes
// longest takes; the others would work beside it.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/benchmark_graphs.hpp"
#include "makespan/base/error.hpp"
#include "makespan/graph/balancer/balancer_registry.hpp"
#include "makespan/graph/balancer/decision_in_process.hpp"
#include "makespan/graph/model/lower_bound.hpp"
#include "makespan/graph/model/mapping_quality.hpp"
#include "makespan/graph/model/phase_time.hpp"

namespace makespan::graph {
namespace {

struct Benchmark {
  std::string name;
  Graph graph;
  Places places;
  Places seen;  // by the balancer, where it is told less than there is
};

// One that is told all.
Benchmark benchmark(std::string name, GraphColumns columns, Places const& places) {
  return {std::move(name), Graph(std::move(columns)), places, places};
}

// One domain, places of these speeds again and again.
Places uneven_places(std::vector<double> const& speeds, int count) {
  std::vector<Place> places;
  for (int i = 0; i < count; ++i) {
    places.push_back({.speed = Speed{speeds[static_cast<std::size_t>(i) % speeds.size()]}});
  }
  return Places(std::move(places), {Domain{}}, {.latency_s = {1.8e-6}, .bandwidth_bytes_s = {5e9}});
}

Places packages_of_eight(int domains) {
  return numa_machine(domains, 4, 8, assumed_line_s, [](int a, int b) {
    if (a == b) return 1.0;
    return a / 4 == b / 4 ? 1.5 : 2.5;
  });
}

std::vector<Benchmark> benchmarks() {
  std::vector<Benchmark> all;
  all.push_back(benchmark("kneighbor 400, numa48", kneighbor(400, 48), numa48()));
  all.push_back(benchmark("kneighbor 400, numa32", kneighbor(400, 32), numa32()));
  all.push_back(benchmark("stencil4d 256, numa32", stencil4d(4, 32), numa32()));
  all.push_back(benchmark("stencil4d 256, numa48", stencil4d(4, 48), numa48()));
  all.push_back(benchmark("leanmd 2700, numa48", leanmd({6, 6, 5}, 48), numa48()));
  all.push_back(benchmark("leanmd 1875, numa32", leanmd({5, 5, 5}, 32), numa32()));
  all.push_back(benchmark("kneighbor 400, cluster20x4", kneighbor(400, 80), cluster20x4()));
  all.push_back(benchmark("stencil4d 256, cluster20x4", stencil4d(4, 80), cluster20x4()));
  all.push_back(benchmark("leanmd 1875, cluster20x4", leanmd({5, 5, 5}, 80), cluster20x4()));
  for (auto const& [name, speeds] : {std::pair{"1:1:1:1/4", std::vector{1.0, 1.0, 1.0, 0.25}},
                                     std::pair{"1:10", std::vector{1.0, 10.0}}}) {
    auto const columns = lb_test(400, 8);
    std::string const title = std::string("lb_test 400, speeds ") + name;
    all.push_back(benchmark(title, columns, uneven_places(speeds, 8)));
    all.push_back(
        {title + " unknown", Graph(columns), uneven_places(speeds, 8), uneven_places({1.0}, 8)});
  }
  all.push_back(
      benchmark("stencil3d 97336, 128 places", stencil3d(46, 128), packages_of_eight(16)));
  all.push_back(
      benchmark("stencil3d 1000000, 1024 places", stencil3d(100, 1024), packages_of_eight(128)));
  return all;
}

struct Contestant {
  std::string name;
  std::unique_ptr<Balancer> balancer;
};

std::vector<Contestant> contestants() {
  std::vector<Contestant> all;
  for (BalancerEntry const& entry : balancers()) {
    try {
      all.push_back({std::string(entry.name), entry.make({})});
    } catch (NotConfigured const& error) {
      std::fprintf(stderr, "left out: %s\n", error.what());
    }
  }
  return all;
}

double longest_over_mean(Benchmark const& one, Mapping const& mapping) {
  PhaseTimes const times = phase_times(one.graph, one.places, mapping);
  std::vector<double> totals;
  for (std::size_t place = 0; place < times.compute_s.size(); ++place) {
    totals.push_back(times.total_s(place));
  }
  return times.longest_s() / mean_time_s(one.places, totals);
}

// Of all places, and of the one that takes longest [s].
struct DecisionTime {
  double all_s{0.0};
  double place_s{0.0};  // 0: no places decide
};

void print(Benchmark const& one, std::string const& contestant, Mapping const& mapping,
           DecisionTime const& decision) {
  MappingQuality const quality = quality_of(one.graph, one.places, mapping);
  Seconds const bound = lower_bound(one.graph, one.places);
  std::printf(R"({"contestant": "%s, %s", "phase_over_bound": %.6g, "decision_ms": %.6g, )"
              R"("longest_over_mean": %.6g, "moved": %.6g, "domain_gb": %.6g, "node_gb": %.6g)",
              contestant.c_str(), one.name.c_str(), quality.phase / bound, 1e3 * decision.all_s,
              longest_over_mean(one, mapping),
              static_cast<double>(quality.moves) / std::max(1, one.graph.objects()),
              1e-9 * quality.domain_bytes, 1e-9 * quality.node_bytes);
  if (decision.place_s > 0.0) std::printf(", \"place_ms\": %.6g", 1e3 * decision.place_s);
  std::printf("}\n");
  std::fflush(stdout);
}

double clock_s() {
  auto const now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

// Again, place by place: what a place knows is got together beforehand.
double longest_place_s(DistributedBalancer const& balancer, Benchmark const& one) {
  auto const places = std::make_shared<Places const>(one.seen);
  std::vector<KnownObjects> known = known_objects(one.graph, one.seen);
  std::vector<std::unique_ptr<PlaceDecision>> all;
  for (int place = 0; place < places->count(); ++place) {
    all.push_back(balancer.at_place({.place = place,
                                     .places = places,
                                     .own = std::move(known[static_cast<std::size_t>(place)])}));
  }
  DecisionCost cost;
  static_cast<void>(decide_in_process(all, balancer.steps(), &cost, &clock_s));
  return std::ranges::max(cost.place_s);
}

void run(int rounds, int objects_max, std::string_view only) {
  auto entrants = contestants();
  if (!only.empty()) {
    std::erase_if(entrants, [&](Contestant const& each) { return each.name != only; });
  }
  for (Benchmark const& one : benchmarks()) {
    if (one.graph.objects() > objects_max) continue;
    print(one, "now", one.graph.now(), {});
    for (int round = 0; round < rounds; ++round) {
      for (Contestant const& entrant : entrants) {
        double const begin_s = clock_s();
        Mapping const mapping = entrant.balancer->map(one.graph, one.seen);
        DecisionTime time{.all_s = clock_s() - begin_s};
        auto const* const distributed =
            dynamic_cast<DistributedBalancer const*>(entrant.balancer.get());
        if (distributed != nullptr) time.place_s = longest_place_s(*distributed, one);
        print(one, entrant.name, mapping, time);
      }
    }
  }
}

}  // namespace
}  // namespace makespan::graph

int main(int argc, char** argv) {
  int const rounds = argc > 1 ? std::atoi(argv[1]) : 5;
  int const objects_max = argc > 2 ? std::atoi(argv[2]) : 1'000'000;
  makespan::graph::run(rounds, objects_max, argc > 3 ? argv[3] : "");
  return 0;
}
