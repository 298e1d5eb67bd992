// SPDX-License-Identifier: Apache-2.0
// What a machine with a GPU is asked to show of grids: a step of the GPU beside its copy bandwidth,
// what CPU and GPU do together, and the same bits. Run by tools/gpu_check; prints a table. Exit
// code 1 if bits differ; a figure that is not reached is told in the table.
//
// `gpu_grid_check [EXTENT]`: a cube of 768 points along each side if not said otherwise, 7.2 GB.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "../diffusion_program.hpp"
#include "makespan/apps/diffusion/diffusion.hpp"
#include "makespan/apps/diffusion/gpu/gpu_diffusion.hpp"
#include "makespan/apps/equations/gpu/gpu_equations.hpp"
#include "makespan/base/error.hpp"
#include "makespan/cuda/gpu.hpp"
#include "makespan/cuda/memory.hpp"
#include "makespan/cuda/stream.hpp"
#include "makespan/grid/grid.hpp"
#include "makespan/grid/program/interpreter.hpp"
#include "makespan/grid/program/program_stencil.hpp"
#include "makespan/machine/affinity.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::diffusion {
namespace {

using Clock = std::chrono::steady_clock;
using grid::Grid;
using grid::GridDevice;
using grid::Point;

constexpr Lambdas lambdas{0.1, 0.12, 0.08};
constexpr double copy_share_at_least = 0.90;
constexpr double together_at_least = 0.95;  // of the sum of the two alone
constexpr double traced_at_least = 0.97;
constexpr int rounds = 5;

// Bytes read and written in a second, the best of some copies of 2 GiB.
double copy_bandwidth() {
  cuda::use_gpu(0);
  constexpr std::size_t bytes = std::size_t{2} << 30;
  cuda::Memory from(cuda::MemorySpace::gpu);
  cuda::Memory to(cuda::MemorySpace::gpu);
  from.reserve(bytes);
  to.reserve(bytes);
  cuda::Stream const stream;
  double best = 0;
  for (int round = 0; round < 20; ++round) {
    auto const begin = Clock::now();
    for (int i = 0; i < 10; ++i) stream.copy(to.data(), from.data(), bytes);
    stream.wait();
    std::chrono::duration<double> const time = Clock::now() - begin;
    best = std::max(best, 10 * 2.0 * bytes / time.count());
  }
  return best;
}

enum class Who { cpu, gpu, both, traced };  // traced: a GPU, the step as an update of one's own

struct Measured {
  double rate{};  // points/s, the best round's
  std::vector<Digest> digests{};
};

struct Stencils {
  Diffusion by_hand{lambdas};
  grid::CheckedProgram program{diffusion_program()};
  grid::ProgramStencil traced{program, std::make_unique<grid::Interpreter>(program),
                              diffusion_parameters(lambdas)};
};

std::vector<GridDevice> devices_of(Who who, Stencils const& stencils) {
  std::vector<int> cores = machine::allowed_cores();
  std::vector<GridDevice> devices;
  grid::Stencil const* stencil = &stencils.by_hand;
  if (who == Who::traced) stencil = &stencils.traced;
  if (who != Who::cpu) {
    auto gpu = who == Who::traced ? equations::gpu_equations(stencils.traced, 0)
                                  : gpu_diffusion(lambdas, 0);
    Speed const speed{gpu->cores_worth()};
    devices.push_back({.stencil = stencil,
                       .accelerator = std::move(gpu),
                       .cores = {cores.back()},
                       .speed = speed});
    if (cores.size() > 1) cores.pop_back();
  }
  if (who == Who::cpu || who == Who::both) {
    Speed const speed{static_cast<double>(cores.size())};
    devices.push_back({.stencil = stencil, .cores = cores, .speed = speed});
  }
  return devices;
}

Measured measure(Who who, std::int64_t extent) {
  grid::GridProblem const problem{.box = {{}, {extent, extent, extent}}, .values = {{}}};
  Stencils const stencils;
  grid::GridOptions const options{.rebalance = {.steps = 10}};
  pgas::Runtime runtime(
      {.threads = 2,
       .heap_bytes = Grid::heap_bytes(problem, stencils.by_hand.shape(), 2, options)});
  Measured measured;
  {
    Grid grid(runtime, problem, devices_of(who, stencils), options);
    grid.fill([](int, Point at) { return static_cast<double>((at.x ^ at.y ^ at.z) % 17); });
    grid.run_all(40);  // it finds its shares
    std::int64_t const steps = who == Who::cpu ? 20 : 200;
    for (int round = 0; round < rounds; ++round) {
      auto const begin = Clock::now();
      grid.run_all(steps);
      std::chrono::duration<double> const time = Clock::now() - begin;
      double const points = static_cast<double>(problem.box.points() * steps);
      measured.rate = std::max(measured.rate, points / time.count());
    }
    if (who != Who::cpu) measured.digests = grid.digests_all();
    grid.close_all();
  }
  runtime.finish_all();
  return measured;
}

void print(std::string const& what, double figure, double wanted) {
  std::printf("%-52s %8.3f   >= %.2f   %s\n", what.c_str(), figure, wanted,
              figure >= wanted ? "reached" : "NOT REACHED");
}

int run(std::int64_t extent) {
  if (cuda::discover().gpus.empty()) {
    std::fprintf(stderr, "gpu_grid_check: %s\n", cuda::discover().why_none.c_str());
    return 2;
  }
  double const bandwidth = copy_bandwidth();
  std::printf("%s copies %.0f GB/s\n", cuda::discover().gpus.front().name.c_str(), bandwidth / 1e9);
  Measured const gpu = measure(Who::gpu, extent);
  std::printf("GPU %.3g points/s\n", gpu.rate);
  Measured const cpu = measure(Who::cpu, extent);
  std::printf("CPU %.3g points/s\n", cpu.rate);
  Measured const both = measure(Who::both, extent);
  std::printf("both %.3g points/s\n\n", both.rate);
  bool are_same = gpu.digests == both.digests;
  print("7-point step of a GPU, of its copy bandwidth (16 B)", 16 * gpu.rate / bandwidth,
        copy_share_at_least);
  print("CPU and GPU together, of their sum", both.rate / (cpu.rate + gpu.rate), together_at_least);
  try {
    Measured const traced = measure(Who::traced, extent);
    print("the step as an update of one's own, of that by hand", traced.rate / gpu.rate,
          traced_at_least);
    are_same = are_same && traced.digests == gpu.digests;
  } catch (NotConfigured const& error) {
    std::printf("the step as an update of one's own: not run (%s)\n", error.what());
  } catch (InputError const& error) {  // nothing is compiled for this GPU
    std::printf("the step as an update of one's own: not run (%s)\n", error.what());
  }
  std::printf("%-52s %s\n", "bits of all of these", are_same ? "the same" : "DIFFERENT");
  return are_same ? 0 : 1;
}

}  // namespace
}  // namespace makespan::diffusion

int main(int argc, char** argv) {
  try {
    return makespan::diffusion::run(argc > 1 ? std::atoll(argv[1]) : 768);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "gpu_grid_check: %s\n", error.what());
    return 2;
  }
}
