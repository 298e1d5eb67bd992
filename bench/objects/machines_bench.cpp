// SPDX-License-Identifier: Apache-2.0
// The experiments of NucoLB (Pilla et al., ICPP 2012) by running programs, in virtual time: three
// benchmarks on three machines, by each of the balancers that are named, in turn. `never` and
// `automatic` are when it is balanced, by the default balancer; by name it is after each phase.
//
//   machines_bench --rounds 5 --balancers never,greedy_comm,nucolb,makespan --apps stencil4d,melt
//                  --machines numa32,numa48,cluster20x4,hosts4
//
// On `halves`, two of our cores of which one has half the speed, stencil4d and melt run as
// online_bench has them.
//
// A line of JSON for each run: the whole time, the last phase, what was between phases (looks and
// decisions), objects moved, and the part of the places' time in which they computed.

#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench/runtime/arguments.hpp"
#include "graph/benchmark_graphs.hpp"
#include "makespan/apps/kneighbor/ring_run.hpp"
#include "makespan/apps/melt/objects/melt_run.hpp"
#include "makespan/apps/stencil4d/stencil_run.hpp"
#include "makespan/graph/object/virtual_object_world.hpp"

namespace makespan::bench {
namespace {

// What these machines are beside one of our cores, and what a message takes of its receiver: of one
// within a node a third of its latency, as between our threads; of one over TCP what the kernel
// takes. All assumed.
constexpr double core_speed = 1.0 / 6.0;
constexpr double near_receive_part = 1.0 / 3.0;
constexpr double far_receive_s = 10e-6;
// Forces of the melt are taken so many times over, which makes a step on 20xNUMA4 as long as
// LeanMD's (90 to 114 ms).
constexpr double melt_times = 100.0;

graph::Places as_they_run(graph::Places const& machine) {
  std::vector<graph::Place> places(machine.all().begin(), machine.all().end());
  for (graph::Place& place : places) place.speed = Speed{core_speed};
  std::vector<graph::Domain> domains;
  graph::DomainCosts costs;
  for (int a = 0; a < machine.domains(); ++a) {
    graph::Domain domain{.node = machine.node(a)};
    for (int level = 0; level < machine.levels(); ++level) {
      domain.groups.push_back(machine.group(level, a));
    }
    domains.push_back(domain);
    for (int b = 0; b < machine.domains(); ++b) {
      costs.latency_s.push_back(machine.latency_s(a, b));
      costs.bandwidth_bytes_s.push_back(machine.bandwidth_bytes_s(a, b));
      bool const is_near = machine.node(a) == machine.node(b);
      costs.receive_s.push_back(is_near ? near_receive_part * machine.latency_s(a, b)
                                        : far_receive_s);
    }
  }
  return graph::Places(std::move(places), std::move(domains), std::move(costs));
}

// Four hosts of two cores on a gigabit network.
graph::Places hosts4() {
  constexpr int hosts = 4;
  std::vector<graph::Place> places;
  std::vector<graph::Domain> domains;
  graph::DomainCosts costs;
  for (int a = 0; a < hosts; ++a) {
    domains.push_back({.node = a});
    places.insert(places.end(), 2, {.domain = a});
    for (int b = 0; b < hosts; ++b) {
      costs.latency_s.push_back(a == b ? 1e-6 : 50e-6);
      costs.bandwidth_bytes_s.push_back(a == b ? 5e9 : 112e6);
    }
  }
  return graph::Places(std::move(places), std::move(domains), std::move(costs));
}

// Images of one host; what a message between them costs was measured (docs/performance/objects.md).
graph::Places halves() {
  return graph::Places({{.speed = Speed{1.0}, .domain = 0}, {.speed = Speed{0.5}, .domain = 0}},
                       {{.node = 0}},
                       {.latency_s = {2e-6}, .bandwidth_bytes_s = {5e9}, .receive_s = {0.3e-6}});
}

graph::Places machine_named(std::string const& name) {
  if (name == "halves") return halves();
  if (name == "hosts4") return as_they_run(hosts4());
  if (name == "numa32") return as_they_run(graph::numa32());
  if (name == "numa48") return as_they_run(graph::numa48());
  if (name == "cluster20x4") return as_they_run(graph::cluster20x4());
  throw std::invalid_argument("--machines " + name);
}

// Balanced after each phase: every 10 iterations of 50, or 60 steps of 300.
std::vector<graph::PhaseReport> run(std::string const& app, graph::VirtualObjectWorld& world,
                                    graph::WorldOptions const& options) {
  if (world.places() == 2 && app == "stencil4d") {
    return stencil4d::run_all(
               world, {.points = 48, .side = 12, .steps = 200, .steps_per_phase = 1, .work_max = 5})
        .reports;
  }
  if (world.places() == 2 && app == "melt") {
    return melt::run_melt_all(world, {.steps = 4000, .thermo_steps = 4000},
                              {.world = options, .phase_steps = 20})
        .phases;
  }
  if (app == "kneighbor") {
    return kneighbor::run_all(world, {.objects = 400,
                                      .neighbours = 7,
                                      .bytes = 8192,
                                      .steps = 5,
                                      .steps_per_phase = 1,
                                      .iterations = 10})
        .reports;
  }
  if (app == "stencil4d") {
    return stencil4d::run_all(
               world,
               {.points = 40, .side = 10, .steps = 50, .steps_per_phase = 10, .work_max = 16})
        .reports;
  }
  if (app == "melt") {
    return melt::run_melt_all(world, {.steps = 300, .thermo_steps = 300},
                              {.world = options, .phase_steps = 60})
        .phases;
  }
  throw std::invalid_argument("--apps " + app);
}

struct Sums {
  double total_s{0.0};
  double busy_s{0.0};  // of the mean place
  double phases_s{0.0};
  double last_s{0.0};  // of the last phase
  long long moved{0};
};

Sums sums_of(std::vector<graph::PhaseReport> const& reports) {
  Sums sums;
  double const begin_s = reports.empty() ? 0.0 : reports[0].elapsed_s - reports[0].time_s;
  for (graph::PhaseReport const& report : reports) {
    sums.total_s = report.elapsed_s - begin_s;
    sums.busy_s += report.busy_s_mean;
    sums.phases_s += report.time_s;
    sums.moved += report.moved;
    sums.last_s = report.time_s;
  }
  return sums;
}

void run_one(std::string const& app, std::string const& machine, std::string const& balancer) {
  graph::WorldOptions options;
  options.balance.trigger = {.when = graph::BalanceWhen::periodic, .every = 1};
  if (balancer == "never") {
    options.balance.trigger.when = graph::BalanceWhen::never;
  } else if (balancer == "automatic") {
    options.balance.trigger.when = graph::BalanceWhen::automatic;
  } else {
    options.balance.balancer = balancer;
  }
  bool const takes_many_times = app == "melt" && machine != "halves";
  graph::VirtualObjectWorld world(machine_named(machine), options,
                                  {.program_times = takes_many_times ? melt_times : 1.0});
  Sums const sums = sums_of(run(app, world, options));
  std::printf(R"({"program": "%s", "machine": "%s", "balancer": "%s", "total_ms": %.6g, )"
              R"("last_ms": %.6g, "between_ms": %.6g, "moved": %lld, "core_usage_percent": %.4g})"
              "\n",
              app.c_str(), machine.c_str(), balancer.c_str(), 1e3 * sums.total_s, 1e3 * sums.last_s,
              1e3 * (sums.total_s - sums.phases_s), sums.moved,
              100.0 * sums.busy_s / sums.phases_s);
  std::fflush(stdout);
}

void run_rounds(Arguments const& arguments) {
  for (int round = 0; round < arguments.integer("rounds"); ++round) {
    for (std::string const& machine : arguments.texts("machines")) {
      for (std::string const& app : arguments.texts("apps")) {
        for (std::string const& balancer : arguments.texts("balancers")) {
          run_one(app, machine, balancer);
        }
      }
    }
  }
}

}  // namespace
}  // namespace makespan::bench

int main(int argc, char** argv) {
  try {
    makespan::bench::run_rounds(makespan::bench::Arguments(argc, argv));
  } catch (std::exception const& error) {
    std::fprintf(stderr, "machines_bench: %s\n", error.what());
    return 1;
  }
  return 0;
}
