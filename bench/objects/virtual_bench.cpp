// SPDX-License-Identifier: Apache-2.0
// What a phase takes in virtual time, beside what the same program takes on the places of this job.
//
//   mpiexec -n 2 virtual_bench --app stencil4d --title "…" --rounds 5 --threads 1 …
//
// The virtual machine is the one that the job has measured for itself: its domains and costs
// (world_machine.hpp). Of the speed of a core each place has --speed, which is less than 1 where
// there are more places than cores. Arguments beside these: as those of online_bench, without
// balancing. On image 0 a line of JSON for each round.

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/runtime/arguments.hpp"
#include "makespan/apps/kneighbor/ring_run.hpp"
#include "makespan/apps/stencil4d/stencil_run.hpp"
#include "makespan/base/checked_cast.hpp"
#include "makespan/base/median.hpp"
#include "makespan/graph/object/object_world.hpp"
#include "makespan/graph/object/virtual_object_world.hpp"
#include "makespan/pgas/job/run_job.hpp"

namespace makespan::bench {
namespace {

graph::WorldOptions options_of(Arguments const& arguments) {
  return {.threads = arguments.integer("threads"),
          .balance = {.trigger = {.when = graph::BalanceWhen::never}}};
}

std::vector<graph::PhaseReport> run(graph::ObjectHost& world, Arguments const& arguments) {
  std::string const app = arguments.text("app");
  if (app == "stencil4d") {
    return stencil4d::run_all(world, {.points = arguments.integer("points"),
                                      .side = arguments.integer("side"),
                                      .steps = arguments.integer("steps"),
                                      .steps_per_phase = arguments.integer("steps_per_phase"),
                                      .work_max = arguments.integer("work_max")})
        .reports;
  }
  if (app == "kneighbor") {
    return kneighbor::run_all(world, {.objects = arguments.integer("objects"),
                                      .neighbours = arguments.integer("neighbours"),
                                      .bytes = arguments.integer("bytes"),
                                      .steps = arguments.integer("steps"),
                                      .steps_per_phase = arguments.integer("steps_per_phase"),
                                      .iterations = arguments.integer("iterations")})
        .reports;
  }
  throw std::invalid_argument("--app " + app);
}

graph::Places machine_of(graph::ObjectWorld const& real, Arguments const& arguments) {
  graph::Places const known = real.known_places();
  return known.with_speeds(
      std::vector<double>(checked_cast<std::size_t>(known.count()), arguments.number("speed")));
}

double median_ms(std::vector<graph::PhaseReport> const& reports) {
  std::vector<double> times;
  for (graph::PhaseReport const& report : reports) times.push_back(1e3 * report.time_s);
  return median_or(times, 0.0);
}

int run_rounds(Arguments const& arguments) {
  pgas::Runtime runtime({.threads = arguments.integer("threads")});
  for (int round = 0; round < arguments.integer("rounds"); ++round) {
    graph::ObjectWorld real(runtime, options_of(arguments));
    double const real_ms = median_ms(run(real, arguments));
    if (runtime.image() == ImageId{0}) {
      graph::VirtualObjectWorld virtual_world(machine_of(real, arguments), options_of(arguments));
      double const virtual_ms = median_ms(run(virtual_world, arguments));
      std::printf(
          R"({"contestant": "%s", "real_ms": %.6g, "virtual_ms": %.6g, "virtual_over_real": %.6g})"
          "\n",
          arguments.text("title").c_str(), real_ms, virtual_ms, virtual_ms / real_ms);
      std::fflush(stdout);
    }
    runtime.team().barrier_all();
  }
  runtime.finish_all();
  return 0;
}

}  // namespace
}  // namespace makespan::bench

int main(int argc, char** argv) {
  return makespan::pgas::run_job(
      [&] { return makespan::bench::run_rounds(makespan::bench::Arguments(argc, argv)); });
}
