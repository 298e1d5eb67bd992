// SPDX-License-Identifier: Apache-2.0
// Devices of different speeds on this node, in one image.
//
//   device_bench unequal EXTENT PLANES STEPS ROUNDS FACTOR
//     two cores, the second of which takes FACTOR times as long: "uniform" cut and cut "by speed",
//     each with step_ms, and `share`: what both cores could do together, by what they take for a
//     plane in that run, over what was done.
//   device_bench change EXTENT PLANES STEPS ROUNDS FACTOR
//     two equal cores; then the second one takes FACTOR times as long: `rebalances` that move
//     planes until no device is more than a plane off what speeds say, and `off`, planes.
//   device_bench host EXTENT PLANES STEPS ROUNDS FACTOR SHARE THICKNESS
//     a host and two devices that take a given time for a plane, the host FACTOR times as long, and
//     a SHARE (none, all, front-back) of the host, THICKNESS planes to a layer (-1: tuned):
//     step_ms, `thickness` and `predicted`, up to which the host is free.
//   device_bench images EXTENT PLANES STEPS ROUNDS FACTOR
//     two images, run by mpiexec, each with a host, FACTOR times as slow, beside another device;
//     the second image's are half as fast. Speeds are measured in the first steps, layers are free:
//     `share`, what all four could do together over what was done.
// prints a line of JSON for each round.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "laboured.hpp"
#include "makespan/apps/diffusion/diffusion.hpp"
#include "makespan/grid/cut/host_layers.hpp"
#include "makespan/grid/cut/layout.hpp"
#include "makespan/grid/cut/slab_cut.hpp"
#include "makespan/grid/grid.hpp"
#include "makespan/machine/affinity.hpp"
#include "makespan/pgas/job/run_job.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::bench {
namespace {

using Clock = std::chrono::steady_clock;
using grid::Grid;

constexpr diffusion::Lambdas lambdas{0.1, 0.1, 0.1};
// Of unequal cores: each point is computed so often, so that steps take long in a field that the
// caches hold.
constexpr long work = 5;

struct Settings {
  std::string mode;
  std::int64_t extent{};
  std::int64_t planes{};
  std::int64_t steps{};
  int rounds{};
  double factor{};
  std::string share{"none"};
  std::int64_t thickness{};
};

double step_seconds(Grid& grid, std::int64_t steps) {
  auto const begin = Clock::now();
  grid.run_all(steps);
  return std::chrono::duration<double>(Clock::now() - begin).count() / static_cast<double>(steps);
}

std::vector<double> busy(Grid const& grid) {
  std::vector<double> all;
  for (grid::DeviceTimes const& times : grid.report().devices) {
    all.push_back(times.busy.value());
  }
  return all;
}

class Bench {
 public:
  explicit Bench(Settings const& settings)
      : settings_{settings},
        problem_{.box = {{}, {settings.extent, settings.extent, settings.planes}}, .values = {{}}} {
  }

  void unequal(pgas::Runtime& runtime);
  void change(pgas::Runtime& runtime);
  void host(pgas::Runtime& runtime);
  void images(pgas::Runtime& runtime);
  [[nodiscard]] std::int64_t heap_bytes(int devices, grid::GridOptions const& options) const {
    return 2 * Grid::heap_bytes(problem_, stencil_.shape(), devices, options);
  }

 private:
  [[nodiscard]] std::vector<grid::GridDevice> two_cores(std::int64_t slow_from) const {
    std::vector<int> const cores = machine::allowed_cores();
    return {{.stencil = &stencil_, .cores = {cores.front()}},
            {.stencil = &stencil_,
             .cores = {cores.back()},
             .slowdowns = {{.from = slow_from, .factor = settings_.factor}}}};
  }
  // A device that takes a given time for a plane, whatever the core can do.
  [[nodiscard]] grid::GridDevice paced(double plane_s) const {
    auto const points = static_cast<double>(settings_.extent * settings_.extent);
    return {.stencil = &once_, .point_time = Seconds{plane_s / points}};
  }
  // Planes that each could make a second, alone, by what they took here.
  [[nodiscard]] double speeds_sum(Grid const& grid, std::vector<double> const& before,
                                  std::int64_t steps) const {
    double sum = 0;
    std::vector<double> const after = busy(grid);
    for (std::size_t i = 0; i < after.size(); ++i) {
      auto const planes = static_cast<double>(grid.stacks().front().planes[i] * steps);
      sum += planes / (after[i] - before[i]);
    }
    return sum;
  }

  // Planes of the first device by what both took in a stretch.
  [[nodiscard]] double first_share(std::vector<std::int64_t> const& planes,
                                   std::vector<double> const& before,
                                   std::vector<double> const& after) const {
    double const first = static_cast<double>(planes[0]) / (after[0] - before[0]);
    double const second = static_cast<double>(planes[1]) / (after[1] - before[1]);
    return static_cast<double>(settings_.planes) * first / (first + second);
  }

  Settings settings_;
  grid::GridProblem problem_;
  Laboured stencil_{lambdas, work};
  diffusion::Diffusion once_{lambdas};
};

void Bench::unequal(pgas::Runtime& runtime) {
  Grid uniform(runtime, problem_, two_cores(0), {});
  Grid by_speed(runtime, problem_, two_cores(0),
                {.rebalance = {.steps = std::max<std::int64_t>(1, settings_.steps / 4)}});
  for (int round = 0; round <= settings_.rounds; ++round) {
    for (auto const& [name, grid] : {std::pair{"uniform", &uniform}, {"by speed", &by_speed}}) {
      if (round == 0) {
        grid->run_all(4 * settings_.steps);  // speeds become known
        continue;
      }
      std::vector<double> const before = busy(*grid);
      double const step_s = step_seconds(*grid, settings_.steps);
      double const ideal =
          static_cast<double>(settings_.planes) / speeds_sum(*grid, before, settings_.steps);
      std::printf("{\"contestant\": \"%s\", \"step_ms\": %.5g, \"share\": %.4f}\n", name,
                  1e3 * step_s, ideal / step_s);
    }
  }
}

void Bench::change(pgas::Runtime& runtime) {
  for (int round = 1; round <= settings_.rounds; ++round) {
    Grid grid(runtime, problem_, two_cores(2 * settings_.steps), {});
    grid.run_all(settings_.steps);
    grid.rebalance_all(1 << 30);
    grid.run_all(settings_.steps);
    grid.rebalance_all(1 << 30);
    int looks = 0;
    double off = 2;
    for (; looks < 10 && off > 1; ++looks) {
      std::vector<double> const before = busy(grid);
      std::vector<std::int64_t> const planes = grid.stacks().front().planes;
      grid.run_all(settings_.steps);
      std::vector<double> const after = busy(grid);
      grid.rebalance_all(1 << 30);
      off = std::abs(static_cast<double>(grid.stacks().front().planes.front()) -
                     first_share(planes, before, after));
    }
    std::printf("{\"contestant\": \"change\", \"rebalances\": %d, \"off\": %.3f}\n", looks, off);
    grid.close_all();
  }
}

void Bench::host(pgas::Runtime& runtime) {
  constexpr double plane_s = 50e-6;
  auto const planes_per_s = [&](double seconds) { return Speed{1 / seconds}; };
  std::vector<grid::GridDevice> devices{paced(settings_.factor * plane_s), paced(plane_s),
                                        paced(plane_s)};
  devices.front().speed = planes_per_s(settings_.factor * plane_s);
  for (grid::GridDevice& other : std::span(devices).subspan(1)) other.speed = planes_per_s(plane_s);
  bool const is_all = settings_.share == "all";
  grid::HostShare const share = is_all                      ? grid::HostShare::all
                                : settings_.share == "none" ? grid::HostShare::none
                                                            : grid::HostShare::front_back;
  bool const is_tuned = settings_.thickness < 0;
  std::int64_t const given = is_tuned ? 1 : settings_.thickness;
  Grid grid(runtime, problem_, devices,
            {.layers = {.share = share, .thickness = given, .is_free = is_tuned},
             .rebalance = {.steps = is_tuned ? settings_.steps : 0}});
  std::vector<grid::SlabDevice> const speeds{{.speed = planes_per_s(settings_.factor * plane_s)},
                                             {.speed = planes_per_s(plane_s)},
                                             {.speed = planes_per_s(plane_s)}};
  std::int64_t const predicted =
      share == grid::HostShare::none
          ? 0
          : grid::free_layers(problem_.box, 0, speeds, {.share = share, .thickness = 1}).thickness;
  for (int round = 0; round <= settings_.rounds; ++round) {
    if (round == 0) {
      grid.run_all(is_tuned ? 4 * settings_.steps : settings_.steps);
      continue;
    }
    double const step_s = step_seconds(grid, settings_.steps);
    std::int64_t thickness = 0;
    auto const& stack = grid.stacks().front();
    for (std::size_t i = 0; i < stack.devices.size(); ++i) {
      if (stack.devices[i].device == 0) thickness = std::max(thickness, stack.planes[i]);
    }
    std::printf(
        "{\"contestant\": \"host\", \"step_ms\": %.5g, \"thickness\": %ld, \"predicted\": %ld}\n",
        1e3 * step_s, static_cast<long>(thickness), static_cast<long>(predicted));
  }
}

void Bench::images(pgas::Runtime& runtime) {
  constexpr double plane_s = 500e-6;
  double const slower = runtime.image() == ImageId{0} ? 1 : 2;
  // All are thought to be alike.
  Grid grid(runtime, problem_,
            {paced(slower * settings_.factor * plane_s), paced(slower * plane_s)},
            {.cut = grid::ImageCut::stack,
             .layers = {.share = grid::HostShare::front_back, .thickness = 1, .is_free = true},
             .rebalance = {.steps = settings_.steps}});
  // Of both images, by what was said of each device.
  double const ideal_s = static_cast<double>(settings_.planes) * plane_s /
                         ((1 + 1 / settings_.factor) * (1 + 1.0 / 2));
  for (int round = 0; round <= settings_.rounds; ++round) {
    double const step_s = step_seconds(grid, round == 0 ? 4 * settings_.steps : settings_.steps);
    if (round == 0 || runtime.image() != ImageId{0}) continue;
    std::printf("{\"contestant\": \"images\", \"step_ms\": %.5g, \"share\": %.4f}\n", 1e3 * step_s,
                ideal_s / step_s);
    std::fflush(stdout);
  }
  grid.close_all();
}

void run(Settings const& settings) {
  Bench bench(settings);
  int const devices = settings.mode == "host" ? 3 : 2;
  grid::GridOptions const options{
      .layers = {.share = settings.mode == "host" || settings.mode == "images"
                              ? grid::HostShare::all
                              : grid::HostShare::device}};
  pgas::Runtime runtime({.threads = devices, .heap_bytes = bench.heap_bytes(devices, options)});
  if (settings.mode == "unequal") bench.unequal(runtime);
  if (settings.mode == "change") bench.change(runtime);
  if (settings.mode == "host") bench.host(runtime);
  if (settings.mode == "images") bench.images(runtime);
  runtime.finish_all();
}

}  // namespace
}  // namespace makespan::bench

int main(int argc, char** argv) {
  if (argc < 7) {
    std::fprintf(stderr, "usage: %s MODE EXTENT PLANES STEPS ROUNDS FACTOR [SHARE THICKNESS]\n",
                 argv[0]);
    return 2;
  }
  makespan::bench::Settings settings{.mode = argv[1],
                                     .extent = std::stol(argv[2]),
                                     .planes = std::stol(argv[3]),
                                     .steps = std::stol(argv[4]),
                                     .rounds = std::stoi(argv[5]),
                                     .factor = std::stod(argv[6])};
  if (argc > 8) {
    settings.share = argv[7];
    settings.thickness = std::stol(argv[8]);
  }
  return makespan::pgas::run_job([&] {
    makespan::bench::run(settings);
    return 0;
  });
}
