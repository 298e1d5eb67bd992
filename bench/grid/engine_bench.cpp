// SPDX-License-Identifier: Apache-2.0
// A program of points through the whole engine: images, devices, halos.
//
//   engine_bench PROBLEM X Y Z THREADS STEPS_AT_ONCE STEPS ROUNDS
//
// run by mpiexec, with THREADS threads of one device for each image, on a core each. Image 0 prints
// a line of JSON for each round with points_per_s; with 0 rounds one with the sum of problems.hpp
// after the steps.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "makespan/grid/compile/compiled_kernel.hpp"
#include "makespan/grid/grid.hpp"
#include "makespan/grid/program/program_stencil.hpp"
#include "makespan/machine/affinity.hpp"
#include "makespan/pgas/job/run_job.hpp"
#include "makespan/pgas/runtime.hpp"
#include "problems.hpp"

namespace makespan::bench {
namespace {

using Clock = std::chrono::steady_clock;

struct Settings {
  std::string problem;
  grid::Point size{};
  int threads{};
  int steps_at_once{};
  long steps{};
  int rounds{};
};

double points_per_s(grid::Grid& grid, Settings const& settings, pgas::Runtime& runtime) {
  runtime.team().barrier_all();
  auto const begin = Clock::now();
  grid.run_all(settings.steps);
  runtime.team().barrier_all();
  double const seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  grid::Point const& size = settings.size;
  return static_cast<double>(size.x * size.y * size.z * settings.steps) / seconds;
}

// At image 0.
double sum_all(grid::Grid& grid, int fields) {
  double sum = 0;
  grid::Point const extent = grid.problem().box.extent();
  for (int field = 0; field < fields; ++field) {
    std::vector<double> const values = grid.gather_all(field, grid.problem().box);
    auto value = values.begin();
    for (std::int64_t z = 0; z < extent.z; ++z) {
      for (std::int64_t y = 0; y < extent.y; ++y) {
        for (std::int64_t x = 0; x < extent.x && value != values.end(); ++x) {
          sum += weight({x, y, z}) * *value++;
        }
      }
    }
  }
  return sum;
}

void run(Settings const& settings) {
  GridBenchProblem const of = problem_named(settings.problem, settings.size);
  grid::CheckedProgram program(of.program, settings.steps_at_once);
  auto kernel = grid::compiled_kernel(program);
  grid::ProgramStencil const stencil(std::move(program), std::move(kernel));
  auto const fields = stencil.shape().fields.size();
  bool const has_values = of.beyond == grid::Beyond::value;
  grid::GridProblem const problem{
      .box = {{}, settings.size},
      .faces = grid::faces_all(has_values ? grid::FaceKind::value : grid::FaceKind::no_flux),
      .values = std::vector<grid::FaceValues>(fields)};
  grid::GridOptions const options{.cut = grid::ImageCut::stack,
                                  .steps_at_once = settings.steps_at_once};
  pgas::Runtime runtime(
      {.threads = 1,
       .heap_bytes = 2 * grid::Grid::heap_bytes(problem, stencil.shape(), 1, options)});
  std::vector<int> const cores = machine::allowed_cores();
  grid::GridDevice device{.stencil = &stencil};
  for (int thread = 0; thread < settings.threads; ++thread) {
    auto const at = static_cast<std::size_t>(runtime.image().value() * settings.threads + thread);
    device.cores.push_back(cores[at % cores.size()]);
  }
  {
    grid::Grid grid(runtime, problem, {device}, options);
    // Timed runs have zeros, as the peers' do.
    if (settings.rounds == 0) grid.fill(of.first);
    bool const is_first = runtime.image() == ImageId{0};
    for (int round = 0; round <= settings.rounds; ++round) {
      double const rate = points_per_s(grid, settings, runtime);
      if (round == 0 || !is_first) continue;  // touches memory, and warms up
      std::printf("{\"contestant\": \"engine\", \"points_per_s\": %.6g}\n", rate);
    }
    if (settings.rounds == 0) {
      double const sum = sum_all(grid, static_cast<int>(fields));
      if (is_first) std::printf("{\"contestant\": \"engine\", \"sum\": %.17g}\n", sum);
    }
    std::fflush(stdout);
  }
  runtime.finish_all();
}

}  // namespace
}  // namespace makespan::bench

int main(int argc, char** argv) {
  if (argc != 9) {
    std::fprintf(stderr, "usage: %s PROBLEM X Y Z THREADS STEPS_AT_ONCE STEPS ROUNDS\n", argv[0]);
    return 2;
  }
  return makespan::pgas::run_job([&] {
    makespan::bench::run({.problem = argv[1],
                          .size = {std::stol(argv[2]), std::stol(argv[3]), std::stol(argv[4])},
                          .threads = std::stoi(argv[5]),
                          .steps_at_once = std::stoi(argv[6]),
                          .steps = std::stol(argv[7]),
                          .rounds = std::stoi(argv[8])});
    return EXIT_SUCCESS;
  });
}
