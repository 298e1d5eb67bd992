// SPDX-License-Identifier: Apache-2.0
// Steps of a grid on several images, measured and simulated.
//
//   agreement_bench --extent N --planes N --steps N --rounds N --plane-us 200,200,...
//                   --route direct|relayed --host device|none|all|front-back
//                   --host-thickness N --devices N --steps-at-once N
//
// run by mpiexec. A device takes a given time for a plane, most of which it sleeps, so that as many
// of them as are wanted fit on few cores; image i's is the i-th of --plane-us (the last one for
// those behind it). What the simulation is given is measured first, by other means than the steps
// that it is to predict: what a plane takes, in sweeps without a grid; packing and putting, by a
// grid of half as many planes; latency, bandwidth, burst and the processor's part of the network,
// by messages of two images. Image 0 prints a line of JSON for each schedule and round: step_ms,
// simulated_ms, and `off`, |simulated / measured - 1|.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "bench/runtime/arguments.hpp"
#include "makespan/apps/diffusion/diffusion.hpp"
#include "makespan/grid/field/slab_fields.hpp"
#include "makespan/grid/grid.hpp"
#include "makespan/pgas/job/run_job.hpp"
#include "makespan/pgas/runtime.hpp"
#include "makespan/sim/grids/grid_simulation.hpp"
#include "network_meter.hpp"

namespace makespan::bench {
namespace {

using Clock = std::chrono::steady_clock;
using grid::Grid;

// What a device takes for a plane; the last of the list for those behind it.
double plane_s(Arguments const& arguments, int device) {
  std::vector<std::string> const times = arguments.texts("plane-us");
  return std::stod(times[std::min(static_cast<std::size_t>(device), times.size() - 1)]) * 1e-6;
}

// Diffusion that takes a given time for a plane, most of which it sleeps.
class GivenTime final : public grid::Stencil {
 public:
  GivenTime(double plane_s, int steps_max)
      : diffusion_{diffusion::Lambdas{0.1, 0.1, 0.1}, {.steps_max = steps_max}},
        plane_s_{plane_s} {}
  [[nodiscard]] grid::StencilShape shape() const override { return diffusion_.shape(); }
  void sweep(grid::Sweep const& sweep) const override {
    auto const begin = Clock::now();
    diffusion_.sweep(sweep);
    auto const planes = static_cast<double>(sweep.box.extent().z * sweep.steps);
    // What it does for messages it does not compute meanwhile.
    double driving_s = 0.0;
    while (seconds_since(begin) < planes * plane_s_ + driving_s) {
      auto const paused = Clock::now();
      sweep.pause();
      driving_s += seconds_since(paused);
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
  }

 private:
  diffusion::Diffusion diffusion_;
  double plane_s_;
};

void drive(void* endpoint) {
  static_cast<pgas::Endpoint*>(endpoint)->progress();
}

// With an endpoint that is driven now and then, as in a grid, and to which nothing comes.
double measured_plane_s(GivenTime const& stencil, long extent, pgas::Endpoint& here) {
  constexpr std::int64_t planes = 8;
  grid::SlabFields fields({.box = {{}, {extent, extent, planes}},
                           .halo_width = 1,
                           .roles = stencil.shape().fields,
                           .values = {{}}});
  fields.clear(fields.first_plane(), fields.last_plane());
  std::vector<double> sweeps;
  for (int time = 0; time < 9; ++time) {
    auto const begin = Clock::now();
    stencil.sweep({.box = fields.box(),
                   .now = fields.now(),
                   .next = fields.next(),
                   .pause = grid::Pause(&drive, &here)});
    sweeps.push_back(seconds_since(begin));
  }
  return median(sweeps) / planes;
}

grid::HostShare share_named(std::string const& name) {
  if (name == "none") return grid::HostShare::none;
  if (name == "all") return grid::HostShare::all;
  return name == "front-back" ? grid::HostShare::front_back : grid::HostShare::device;
}

class AgreementBench {
 public:
  AgreementBench(Arguments const& arguments, pgas::Runtime& runtime)
      : arguments_{arguments}, runtime_{runtime}, extent_{arguments.integer("extent")} {
    auto const devices = static_cast<int>(arguments.integer("devices"));
    for (int device = 0; device < devices; ++device) {
      int const number = static_cast<int>(runtime.image().value()) * devices + device;
      stencils_.push_back(std::make_unique<GivenTime>(
          plane_s(arguments, number), static_cast<int>(arguments.integer("steps-at-once"))));
      planes_s_.push_back(measured_plane_s(*stencils_.back(), extent_, runtime.endpoint(0)));
    }
  }

  void run() {
    NetworkFound const network = NetworkMeter(runtime_).measure_all();
    sim::GridJob job = job_of(network);
    measure_packing(job);
    std::map<grid::Schedule, std::unique_ptr<Grid>> grids;
    for (auto const schedule : {grid::Schedule::none, grid::Schedule::overlap}) {
      grids[schedule] = grid_of(arguments_.integer("planes"), schedule);
    }
    for (long round = 0; round <= arguments_.integer("rounds"); ++round) {
      for (auto& [schedule, grid] : grids) {
        double const step_s = timed(*grid);
        if (round == 0 || runtime_.image() != ImageId{0}) continue;
        job.schedule = schedule;
        print(schedule, job, step_s);
      }
    }
  }

  [[nodiscard]] static grid::GridProblem problem(long extent, long planes) {
    return {.box = {{}, {extent, extent, planes}}, .faces = {}, .values = {{}}};
  }
  [[nodiscard]] static grid::GridOptions options(Arguments const& arguments) {
    return {
        .route = arguments.text("route") == "relayed" ? grid::Route::relayed : grid::Route::direct,
        .cut = grid::ImageCut::stack,
        .layers = {.share = share_named(arguments.text("host")),
                   .thickness = arguments.integer("host-thickness")},
        .steps_at_once = static_cast<int>(arguments.integer("steps-at-once"))};
  }

 private:
  [[nodiscard]] std::unique_ptr<Grid> grid_of(long planes, grid::Schedule schedule) const {
    grid::GridOptions options = AgreementBench::options(arguments_);
    options.schedule = schedule;
    std::vector<grid::GridDevice> devices;
    for (std::size_t device = 0; device < stencils_.size(); ++device) {
      devices.push_back(
          {.stencil = stencils_[device].get(), .cores = {}, .speed = Speed{1 / planes_s_[device]}});
    }
    return std::make_unique<Grid>(runtime_, problem(extent_, planes), devices, options);
  }

  [[nodiscard]] double timed(Grid& grid) const {
    runtime_.team().barrier_all();
    auto const begin = Clock::now();
    grid.run_all(arguments_.integer("steps"));
    runtime_.team().barrier_all();
    return seconds_since(begin) / static_cast<double>(arguments_.integer("steps"));
  }

  // All images'.
  [[nodiscard]] sim::GridJob job_of(NetworkFound const& network) const {
    grid::GridOptions const options = AgreementBench::options(arguments_);
    sim::GridJob job{.box = problem(extent_, arguments_.integer("planes")).box,
                     .steps = arguments_.integer("steps"),
                     .steps_at_once = options.steps_at_once,
                     .route = options.route,
                     .cut = options.cut,
                     .layers = options.layers};
    pgas::Team& team = runtime_.team();
    auto const all = team.all_gather_all(std::span<double const>(planes_s_));
    auto const points = static_cast<double>(extent_ * extent_);
    for (int image = 0; image < runtime_.images(); ++image) {
      // One for each node: hosts are made for them.
      sim::GridImageModel model{.node = image};
      for (std::size_t device = 0; device < stencils_.size(); ++device) {
        std::size_t const at = static_cast<std::size_t>(image) * stencils_.size() + device;
        model.devices.push_back({.kind = "given time", .speed = Speed{points / all[at]}});
      }
      job.images.push_back(std::move(model));
    }
    // Image 0 has played.
    job.network.out = {.latency = Seconds{network.latency_s},
                       .bandwidth = network.bandwidth,
                       .burst = network.burst};
    job.network.receive = Seconds{network.receive_s};
    return job;
  }

  // By a grid of half as many planes, which does everything but what is to be predicted.
  void measure_packing(sim::GridJob& job) const {
    auto const grid = grid_of(arguments_.integer("planes") / 2, grid::Schedule::none);
    static_cast<void>(timed(*grid));
    // Of all devices: packing, giving to the network, unpacking.
    auto const parts = [&] {
      std::array<double, 3> found{};
      for (grid::DeviceTimes const& times : grid->report().devices) {
        found[0] += times.pack.value();
        found[1] += times.send.value();
        found[2] += times.unpack.value();
      }
      return found;
    };
    std::array<double, 3> const before = parts();
    static_cast<void>(timed(*grid));
    std::array<double, 3> const after = parts();
    auto const exchanges = static_cast<double>(
        (arguments_.integer("steps") + arguments_.integer("steps-at-once") - 1) /
        arguments_.integer("steps-at-once"));
    // Of one message, on image 0, which has a neighbour on one side.
    double const bytes =
        static_cast<double>(extent_ * extent_ * arguments_.integer("steps-at-once")) * 8.0;
    double const messages = exchanges;
    double const pack_s = (after[0] - before[0]) / messages;
    double const send_s = (after[1] - before[1]) / messages;
    double const unpack_s = (after[2] - before[2]) / messages;
    // The simulator has one bandwidth for both.
    double const pack_bandwidth = 2.0 * bytes / (pack_s + unpack_s);
    double const pieces = std::ceil(bytes / static_cast<double>(job.network.piece_bytes));
    for (sim::GridImageModel& image : job.images) {
      for (sim::GridDeviceModel& device : image.devices) device.pack_bandwidth = pack_bandwidth;
    }
    job.network.send = Seconds{send_s / pieces};
    grid->close_all();
    if (runtime_.image() != ImageId{0}) return;
    sim::LinkModel const& out = job.network.out;
    std::printf(
        "# latency %.1f us, %.4g bytes/s, burst %.0f bytes, send %.1f us, receive %.1f us, "
        "pack %.3g bytes/s, plane %.1f us\n",
        1e6 * out.latency.value(), out.bandwidth, out.burst, 1e6 * job.network.send.value(),
        1e6 * job.network.receive.value(), pack_bandwidth, 1e6 * planes_s_.front());
  }

  static void print(grid::Schedule schedule, sim::GridJob const& job, double step_s) {
    // Measured are steps whose halos are there when they begin: as those of the second half.
    sim::GridJob twice = job;
    twice.steps *= 2;
    double const simulated_s = sim::simulate_grid(twice).last_step.value();
    std::printf(
        "{\"contestant\": \"%s\", \"step_ms\": %.5g, \"simulated_ms\": %.5g, \"off\": %.4f}\n",
        schedule == grid::Schedule::none ? "none" : "overlap", 1e3 * step_s, 1e3 * simulated_s,
        std::abs(simulated_s / step_s - 1.0));
    std::fflush(stdout);
  }

  Arguments const& arguments_;
  pgas::Runtime& runtime_;
  long extent_;
  std::vector<std::unique_ptr<GivenTime>> stencils_{};  // by device of this image
  std::vector<double> planes_s_{};                      // measured, likewise
};

void run(Arguments const& arguments) {
  auto const devices = static_cast<int>(arguments.integer("devices"));
  grid::GridOptions const options = AgreementBench::options(arguments);
  bool const is_relayed = options.route == grid::Route::relayed;
  auto const heap = Grid::heap_bytes(
      AgreementBench::problem(arguments.integer("extent"), arguments.integer("planes")),
      diffusion::Diffusion(diffusion::Lambdas{0.1, 0.1, 0.1}).shape(), devices, options);
  pgas::Runtime runtime({.threads = devices + (is_relayed ? 1 : 0),
                         .heap_bytes = 3 * heap + (std::int64_t{8} << 20)});
  AgreementBench(arguments, runtime).run();
  runtime.finish_all();
}

}  // namespace
}  // namespace makespan::bench

int main(int argc, char** argv) {
  makespan::bench::Arguments const arguments(argc, argv,
                                             {{"extent", "128"},
                                              {"planes", "128"},
                                              {"steps", "20"},
                                              {"rounds", "3"},
                                              {"plane-us", "200"},
                                              {"route", "direct"},
                                              {"host", "device"},
                                              {"host-thickness", "1"},
                                              {"devices", "1"},
                                              {"steps-at-once", "1"}});
  return makespan::pgas::run_job([&] {
    makespan::bench::run(arguments);
    return 0;
  });
}
