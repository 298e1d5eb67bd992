// SPDX-License-Identifier: Apache-2.0
// A grid on images and devices under several schedules, in turn.
//
//   schedule_bench --extent N --planes N --steps N --rounds N
//
// run by mpiexec. Image 0 prints a line of JSON for each schedule and round: step_ms, the parts of
// it on its first device, and of overlap and pipeline `hidden`, with none of the same round: what
// they save of what can be hidden, (t_none - t) / min(t_exchange, t_interior); and of none `bound`,
// the part of its exchange in which it waits. The rest is packing, sending and unpacking, which the
// computing thread does itself, and no schedule hides.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/runtime/arguments.hpp"
#include "laboured.hpp"
#include "makespan/grid/grid.hpp"
#include "makespan/machine/affinity.hpp"
#include "makespan/pgas/job/run_job.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::bench {
namespace {

using Clock = std::chrono::steady_clock;
using grid::Grid;

struct Timing {
  double step_s{};
  grid::DeviceTimes parts{};  // of a step
};

Timing timed(Grid& grid, long steps, pgas::Runtime& runtime) {
  grid::DeviceTimes const before = grid.report().devices.front();
  runtime.team().barrier_all();
  auto const begin = Clock::now();
  grid.run_all(steps);
  runtime.team().barrier_all();
  double const seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  grid::DeviceTimes const after = grid.report().devices.front();
  double const each = 1.0 / static_cast<double>(steps);
  return {.step_s = seconds * each,
          .parts = {.boundary = (after.boundary - before.boundary) * each,
                    .interior = (after.interior - before.interior) * each,
                    .pack = (after.pack - before.pack) * each,
                    .send = (after.send - before.send) * each,
                    .wait = (after.wait - before.wait) * each,
                    .unpack = (after.unpack - before.unpack) * each}};
}

// With one figure more.
void print(std::string const& name, Timing const& timing, std::string const& figure, double value) {
  grid::DeviceTimes const& parts = timing.parts;
  std::printf(
      "{\"contestant\": \"%s\", \"step_ms\": %.5g, \"boundary_ms\": %.5g, \"interior_ms\": %.5g, "
      "\"pack_ms\": %.5g, \"send_ms\": %.5g, \"wait_ms\": %.5g, \"unpack_ms\": %.5g, "
      "\"%s\": %.4f}\n",
      name.c_str(), 1e3 * timing.step_s, 1e3 * parts.boundary.value(), 1e3 * parts.interior.value(),
      1e3 * parts.pack.value(), 1e3 * parts.send.value(), 1e3 * parts.wait.value(),
      1e3 * parts.unpack.value(), figure.c_str(), value);
  std::fflush(stdout);
}

void run(Arguments const& arguments) {
  long const devices = arguments.integer("devices");
  Laboured const stencil({0.1, 0.1, 0.1}, arguments.integer("work"));
  long const extent = arguments.integer("extent");
  grid::GridProblem const problem{
      .box = {{}, {extent, extent, arguments.integer("planes")}}, .faces = {}, .values = {{}}};
  bool const is_relayed = arguments.text("routes") == "relayed";
  grid::GridOptions options{.route = is_relayed ? grid::Route::relayed : grid::Route::direct,
                            .cut = grid::ImageCut::stack};
  pgas::Runtime runtime({.threads = static_cast<int>(devices) + (is_relayed ? 1 : 0),
                         .heap_bytes = 3 * Grid::heap_bytes(problem, stencil.shape(),
                                                            static_cast<int>(devices), options)});
  std::vector<int> const cores = machine::allowed_cores();
  std::vector<grid::GridDevice> all;
  for (long device = 0; device < devices; ++device) {
    auto const at = static_cast<std::size_t>(runtime.image().value() * devices + device);
    all.push_back({.stencil = &stencil, .cores = {cores[at % cores.size()]}});
  }
  std::map<grid::Schedule, std::unique_ptr<Grid>> grids;
  for (grid::Schedule const schedule :
       {grid::Schedule::none, grid::Schedule::overlap, grid::Schedule::pipeline}) {
    options.schedule = schedule;
    grids[schedule] = std::make_unique<Grid>(runtime, problem, all, options);
  }
  long const steps = arguments.integer("steps");
  for (long round = 0; round <= arguments.integer("rounds"); ++round) {
    Timing const none = timed(*grids[grid::Schedule::none], steps, runtime);
    Timing const overlap = timed(*grids[grid::Schedule::overlap], steps, runtime);
    Timing const pipeline = timed(*grids[grid::Schedule::pipeline], steps, runtime);
    if (round == 0 || runtime.image() != ImageId{0}) continue;
    grid::DeviceTimes const& parts = none.parts;
    Seconds const exchange = parts.pack + parts.send + parts.wait + parts.unpack;
    auto const hidden = [&](Timing const& timing) {
      return (none.step_s - timing.step_s) / std::min(exchange, timing.parts.interior).value();
    };
    print("none", none, "bound", parts.wait / exchange);
    print("overlap", overlap, "hidden", hidden(overlap));
    print("pipeline", pipeline, "hidden", hidden(pipeline));
  }
  grids.clear();
  runtime.finish_all();
}

}  // namespace
}  // namespace makespan::bench

int main(int argc, char** argv) {
  makespan::bench::Arguments const arguments(argc, argv,
                                             {{"extent", "256"},
                                              {"planes", "256"},
                                              {"steps", "50"},
                                              {"rounds", "3"},
                                              {"work", "1"},
                                              {"routes", "direct"},
                                              {"devices", "1"}});
  return makespan::pgas::run_job([&] {
    makespan::bench::run(arguments);
    return 0;
  });
}
