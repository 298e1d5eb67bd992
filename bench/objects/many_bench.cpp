// SPDX-License-Identifier: Apache-2.0
// Very many objects on very many places: a cube of them, each of which sends a number to its six
// neighbours in each phase. Those of one corner, an eighth, take four times as long as others.
//
//   many_bench --side 100 --places 1024 --threads 16 --phases 5 --micros 1
//              --balancers never,hierarchical,gossip
//
// `--places` above 0: so many, in virtual time, on nodes of `--threads` places; 0: the threads of
// this process, or of each image under mpiexec. A line of JSON for each balancer: the first and the
// last phase, the longest decision, objects moved, memory of the process at most, all of it
// measured; on virtual places the phases are of virtual time.

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "bench/runtime/arguments.hpp"
#include "makespan/graph/object/create_mapped.hpp"
#include "makespan/graph/object/object_world.hpp"
#include "makespan/graph/object/virtual_object_world.hpp"
#include "makespan/pgas/job/run_job.hpp"

namespace makespan::bench {
namespace {

// In a cube of `side`, without its faces' neighbours beyond.
std::vector<int> neighbours_of(int index, int side) {
  std::vector<int> all;
  int const at[3] = {index / (side * side), index / side % side, index % side};
  int const stride[3] = {side * side, side, 1};
  for (int axis = 0; axis < 3; ++axis) {
    if (at[axis] > 0) all.push_back(index - stride[axis]);
    if (at[axis] < side - 1) all.push_back(index + stride[axis]);
  }
  return all;
}

bool is_in_corner(int index, int side) {
  int const half = side / 2;
  return index / (side * side) < half && index / side % side < half && index % side < half;
}

struct Cell {
  double sum{0.0};

  // What neighbours send.
  void take(graph::ObjectPlace& /*here*/, double value) { sum += value; }
  void work(graph::ObjectPlace& here, graph::Collection<Cell> all, int index, int side,
            double micros) {
    double const ns = 1e3 * micros * (is_in_corner(index, side) ? 4.0 : 1.0);
    auto const begin = std::chrono::steady_clock::now();
    while (
        std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count() <
        ns) {
      continue;
    }
    here.send_each<&Cell::take>(all, neighbours_of(index, side), 1.0);
  }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(sum);
  }
};

struct Figures {
  double first_s{0.0};
  double last_s{0.0};
  double decision_s{0.0};
  double busy_over_mean{0.0};  // of the last phase
  long long moved{0};
};

Figures run_all(graph::ObjectHost& world, int side, double micros, std::int64_t phases) {
  auto const all = world.add<Cell>("cells", side * side * side);
  Figures figures;
  world.run_all({.create =
                     [&](graph::ObjectPlace& here) {
                       graph::create_mapped(here, all, graph::InitialMap::block,
                                            [](int) { return Cell{}; });
                     },
                 .begin =
                     [&](graph::ObjectPlace& here, std::int64_t) {
                       here.for_each(all, [&](int index, Cell const&) {
                         here.send<&Cell::work>(all, index, all, index, side, micros);
                       });
                     },
                 .after =
                     [&](graph::PhaseReport const& report) {
                       if (report.phase == 0) figures.first_s = report.time_s;
                       figures.last_s = report.time_s;
                       figures.decision_s = std::max(figures.decision_s, report.decision_s);
                       figures.moved += report.moved;
                       figures.busy_over_mean = report.busy_s_longest / report.busy_s_mean;
                       return graph::Next::go_on;
                     },
                 .phases = phases});
  return figures;
}

// Nodes of so many places on a network of 10 µs and 10 GB/s.
graph::Places nodes_of(int places, int threads) {
  int const nodes = places / threads;
  std::vector<graph::Place> all;
  std::vector<graph::Domain> domains;
  graph::DomainCosts costs;
  for (int a = 0; a < nodes; ++a) {
    domains.push_back({.node = a});
    all.insert(all.end(), static_cast<std::size_t>(threads), {.domain = a});
    for (int b = 0; b < nodes; ++b) {
      costs.latency_s.push_back(a == b ? 0.5e-6 : 10e-6);
      costs.bandwidth_bytes_s.push_back(a == b ? 5e9 : 10e9);
      costs.receive_s.push_back(a == b ? 0.15e-6 : 1e-6);
    }
  }
  return graph::Places(std::move(all), std::move(domains), std::move(costs));
}

graph::WorldOptions options_of(std::string const& balancer, int threads) {
  graph::WorldOptions options{.threads = threads, .machine = {.from = "none"}};
  options.balance.trigger = {.when = graph::BalanceWhen::periodic, .every = 1};
  if (balancer == "never") {
    options.balance.trigger.when = graph::BalanceWhen::never;
  } else {
    options.balance.balancer = balancer;
  }
  return options;
}

void print(std::string const& balancer, int side, int places, Figures const& figures) {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  std::printf(R"({"contestant": "%s, %d on %d", "first_ms": %.6g, "last_ms": %.6g, )"
              R"("decision_ms": %.6g, "longest_over_mean": %.4g, "moved": %lld, "gib": %.3g})"
              "\n",
              balancer.c_str(), side * side * side, places, 1e3 * figures.first_s,
              1e3 * figures.last_s, 1e3 * figures.decision_s, figures.busy_over_mean, figures.moved,
              static_cast<double>(used.ru_maxrss) / 1024.0 / 1024.0);
  std::fflush(stdout);
}

int run(Arguments const& arguments) {
  auto const side = static_cast<int>(arguments.integer("side"));
  auto const places = static_cast<int>(arguments.integer("places"));
  auto const threads = static_cast<int>(arguments.integer("threads"));
  double const micros = arguments.number("micros");
  for (std::string const& balancer : arguments.texts("balancers")) {
    graph::WorldOptions const options = options_of(balancer, threads);
    if (places > 0) {
      graph::VirtualObjectWorld world(nodes_of(places, threads), options);
      print(balancer, side, places, run_all(world, side, micros, arguments.integer("phases")));
      continue;
    }
    pgas::Runtime runtime({.threads = threads});
    {
      graph::ObjectWorld world(runtime, options);
      Figures const figures = run_all(world, side, micros, arguments.integer("phases"));
      if (runtime.image() == ImageId{0}) print(balancer, side, world.places(), figures);
    }
    runtime.finish_all();
  }
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace makespan::bench

int main(int argc, char** argv) {
  return makespan::pgas::run_job(
      [&] { return makespan::bench::run(makespan::bench::Arguments(argc, argv)); });
}
