// SPDX-License-Identifier: Apache-2.0
// What balancing gains and costs while a program runs: the same benchmark with and without it, in
// turn, on the places of this job.
//
//   mpiexec -n 2 online_bench --app stencil4d --title "…" --rounds 7 --balancing never,automatic …
//
// Arguments of all: app, title, rounds, warm_up (rounds that are not printed), threads (of each
// image), balancing (never, automatic, periodic, separated by commas), every (phases, periodic),
// map (block, round_robin), steps, steps_per_phase. Of stencil4d: points, side, work_max. Of
// kneighbor: objects, neighbours, bytes, iterations, law (uniform, ramp, quadratic), work_turns. Of
// melt: lattice (cells of the crystal along each side).
//
// Image 0 prints a line of JSON for each run. A wrong answer ends the program.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench/objects/clock_reads.hpp"
#include "bench/runtime/arguments.hpp"
#include "makespan/apps/kneighbor/ring_run.hpp"
#include "makespan/apps/kneighbor/settings.hpp"
#include "makespan/apps/melt/objects/melt_run.hpp"
#include "makespan/apps/stencil4d/settings.hpp"
#include "makespan/apps/stencil4d/stencil_run.hpp"
#include "makespan/base/median.hpp"
#include "makespan/graph/object/load_clock.hpp"
#include "makespan/graph/object/object_world.hpp"
#include "makespan/graph/rebalance/load_book.hpp"
#include "makespan/pgas/job/run_job.hpp"

namespace makespan::bench {
namespace {

using Clock = std::chrono::steady_clock;

struct Facts {
  std::vector<graph::PhaseReport> reports{};
  double total_s{};
  double payload_bytes{};
  bool is_right{};
};

graph::InitialMap map_of(Arguments const& arguments) {
  std::string const name = arguments.text("map");
  if (name == "block") return graph::InitialMap::block;
  if (name == "round_robin") return graph::InitialMap::round_robin;
  throw std::invalid_argument("--map " + name);
}

kneighbor::WorkLaw law_of(Arguments const& arguments) {
  std::string const name = arguments.text("law");
  if (name == "uniform") return kneighbor::WorkLaw::uniform;
  if (name == "ramp") return kneighbor::WorkLaw::ramp;
  if (name == "quadratic") return kneighbor::WorkLaw::quadratic;
  throw std::invalid_argument("--law " + name);
}

graph::BalanceWhen when_of(std::string const& name) {
  if (name == "never") return graph::BalanceWhen::never;
  if (name == "automatic") return graph::BalanceWhen::automatic;
  if (name == "periodic") return graph::BalanceWhen::periodic;
  throw std::invalid_argument("--balancing " + name);
}

Facts run_stencil4d(pgas::Runtime& runtime, graph::WorldOptions const& options,
                    Arguments const& arguments) {
  stencil4d::Settings const settings{.points = arguments.integer("points"),
                                     .side = arguments.integer("side"),
                                     .steps = arguments.integer("steps"),
                                     .steps_per_phase = arguments.integer("steps_per_phase"),
                                     .work_max = arguments.integer("work_max"),
                                     .map = map_of(arguments)};
  graph::ObjectWorld world(runtime, options);
  auto outcome = stencil4d::run_all(world, settings);
  return {.reports = std::move(outcome.reports),
          .total_s = outcome.total_s,
          .payload_bytes = outcome.face_bytes,
          .is_right = outcome.deviation_max < 1e-12 &&
                      outcome.faces == 8 * settings.blocks() * settings.steps};
}

Facts run_kneighbor(pgas::Runtime& runtime, graph::WorldOptions const& options,
                    Arguments const& arguments) {
  kneighbor::Settings const settings{.objects = arguments.integer("objects"),
                                     .neighbours = arguments.integer("neighbours"),
                                     .bytes = arguments.integer("bytes"),
                                     .steps = arguments.integer("steps"),
                                     .steps_per_phase = arguments.integer("steps_per_phase"),
                                     .iterations = arguments.integer("iterations"),
                                     .law = law_of(arguments),
                                     .work_turns = arguments.integer("work_turns"),
                                     .map = map_of(arguments)};
  graph::ObjectWorld world(runtime, options);
  auto outcome = kneighbor::run_all(world, settings);
  return {.reports = std::move(outcome.reports),
          .total_s = outcome.total_s,
          .payload_bytes = static_cast<double>(outcome.tally.bytes),
          .is_right = outcome.tally.damaged == 0 &&
                      outcome.tally.messages == kneighbor::messages_of(settings)};
}

Facts run_melt(pgas::Runtime& runtime, graph::WorldOptions const& options,
               Arguments const& arguments) {
  int const lattice = arguments.integer("lattice");
  melt::MeltSettings const settings{.lattice_cells = {lattice, lattice, lattice},
                                    .steps = arguments.integer("steps"),
                                    .thermo_steps = arguments.integer("steps")};
  auto report = melt::run_melt_all(runtime, settings,
                                   {.world = options,
                                    .phase_steps = arguments.integer("steps_per_phase"),
                                    .first_map = map_of(arguments)});
  // Kept but for pairs that cross the cutoff: in the first steps from the crystal's -4.6134.
  bool const is_right =
      report.lines.empty() || std::abs(report.lines.back().total_energy + 4.618) < 0.006;
  return {.reports = std::move(report.phases), .total_s = report.seconds, .is_right = is_right};
}

Facts run(pgas::Runtime& runtime, std::string const& balancing, Arguments const& arguments) {
  graph::WorldOptions options{.threads = arguments.integer("threads")};
  options.balance.trigger.when = when_of(balancing);
  options.balance.trigger.every = arguments.integer("every");
  std::string const app = arguments.text("app");
  if (app == "stencil4d") return run_stencil4d(runtime, options, arguments);
  if (app == "kneighbor") return run_kneighbor(runtime, options, arguments);
  if (app == "melt") return run_melt(runtime, options, arguments);
  throw std::invalid_argument("--app " + app);
}

// --- what measuring costs: its parts, each timed alone

struct MeasuringCosts {
  double message_ns{};   // a handler's end is noted, and a message that is sent
  double cpu_read_ns{};  // of a thread's CPU clock
};

double ns_each(Clock::time_point begin, int count) {
  return std::chrono::duration<double, std::nano>(Clock::now() - begin).count() / count;
}

MeasuringCosts measuring_costs() {
  constexpr int count = 200'000;
  constexpr int objects = 64;
  auto begin = Clock::now();
  for (int at = 0; at < count; ++at) static_cast<void>(graph::ThreadClocks{}.cpu_ns());
  double const cpu_read_ns = ns_each(begin, count);

  graph::LoadBook book;
  graph::LoadClock<> clock({.interval_ns = 1'000'000'000'000});
  clock.begin_spell();
  begin = Clock::now();
  for (int at = 0; at < count; ++at) {
    int const object = at % objects;
    book.note_message(object, (object + at / objects % 8) % objects, 4096.0);
    clock.charge(book.time_of(object));
  }
  // An interval holds so many handlers, and then reads the CPU's clock.
  double const message_ns =
      ns_each(begin, count) - cpu_read_ns / static_cast<double>(graph::LoadClock<>::handlers_max);
  clock.end_spell();
  return {.message_ns = message_ns, .cpu_read_ns = cpu_read_ns};
}

// --- printing

struct Sums {
  std::vector<double> phases_ms{};
  std::vector<double> last_ms{};  // of the last third
  std::int64_t messages{0};
  std::int64_t measured{0};  // messages of phases that were measured
  std::int64_t moved{0};
  std::int64_t moves{0};  // phases before which objects moved
  std::int64_t looks{0};
  double moved_bytes{0.0};
  double looks_s{0.0};
  double longest_s{0.0};
  double mean_s{0.0};
};

Sums sums_of(std::vector<graph::PhaseReport> const& reports) {
  Sums sums;
  for (graph::PhaseReport const& report : reports) {
    sums.phases_ms.push_back(1e3 * report.time_s);
    sums.messages += report.messages;
    if (report.is_measured) sums.measured += report.messages;
    sums.moved += report.moved;
    sums.moves += report.moved > 0 ? 1 : 0;
    sums.looks += report.decision_s > 0.0 ? 1 : 0;
    sums.moved_bytes += report.moved_bytes;
    sums.looks_s += report.decision_s;
    sums.longest_s += report.busy_s_longest;
    sums.mean_s += report.busy_s_mean;
  }
  std::ptrdiff_t const third = std::ssize(sums.phases_ms) / 3 + 1;
  sums.last_ms.assign(sums.phases_ms.end() - third, sums.phases_ms.end());
  return sums;
}

void print(std::string const& contestant, Facts const& facts, double measuring) {
  Sums const sums = sums_of(facts.reports);
  std::printf(R"({"contestant": "%s", "total_s": %.6g, "phase_ms": %.6g, "phase_last_ms": %.6g, )"
              R"("longest_over_mean": %.6g, "moved": %lld, "moved_mb": %.6g, "moves": %lld, )"
              R"("looks": %lld, "looks_ms": %.6g, "messages": %lld, "payload_mb": %.6g, )"
              R"("measuring_percent": %.6g, "phases_ms": [)",
              contestant.c_str(), facts.total_s, median_or(sums.phases_ms, 0.0),
              median_or(sums.last_ms, 0.0), sums.longest_s / sums.mean_s,
              static_cast<long long>(sums.moved), 1e-6 * sums.moved_bytes,
              static_cast<long long>(sums.moves), static_cast<long long>(sums.looks),
              1e3 * sums.looks_s, static_cast<long long>(sums.messages), 1e-6 * facts.payload_bytes,
              100.0 * measuring);
  char const* comma = "";
  for (double const phase_ms : sums.phases_ms) {
    std::printf("%s%.4g", std::exchange(comma, ", "), phase_ms);
  }
  std::printf("]}\n");
  std::fflush(stdout);
}

int run_rounds(Arguments const& arguments) {
  pgas::Runtime runtime({.threads = arguments.integer("threads")});
  MeasuringCosts const costs = measuring_costs();
  int const places = runtime.images() * arguments.integer("threads");
  int const warm_up = arguments.integer("warm_up");
  for (int round = -warm_up; round < arguments.integer("rounds"); ++round) {
    for (std::string const& balancing : arguments.texts("balancing")) {
      std::int64_t const reads_before = cpu_clock_reads();
      Facts const facts = run(runtime, balancing, arguments);
      auto const reads = static_cast<double>(cpu_clock_reads() - reads_before);
      if (!facts.is_right) throw std::runtime_error("a wrong answer");
      if (runtime.image() != ImageId{0} || facts.reports.empty() || round < 0) continue;
      auto const measured = static_cast<double>(sums_of(facts.reports).measured);
      double const measuring_ns = measured / places * costs.message_ns +
                                  reads / arguments.integer("threads") * costs.cpu_read_ns;
      print(balancing + ", " + arguments.text("title"), facts, 1e-9 * measuring_ns / facts.total_s);
    }
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
