// SPDX-License-Identifier: Apache-2.0
// Programs of points, compiled and interpreted, beside the kernels written by hand, in turn.
//
//   program_bench X Y Z THREADS ROUNDS [NAME …]
//
// prints a line of JSON for each contestant and round: points_per_s, and copy_bytes_per_s, what a
// copy of a field that is not read first moved around the contestant's run. `share` is the bytes
// that a step reads and writes at least over that.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "makespan/apps/diffusion/diffusion.hpp"
#include "makespan/grid/compile/compiled_kernel.hpp"
#include "makespan/grid/program/program_builder.hpp"
#include "makespan/grid/program/program_stencil.hpp"
#include "slab_bench.hpp"

namespace makespan::bench {
namespace {

using grid::Offset;
using grid::ProgramBuilder;
using Value = ProgramBuilder::Value;

// As apps/diffusion has it.
grid::PointProgram diffusion_program() {
  ProgramBuilder of({"u"});
  auto const u = [&](int x, int y, int z) { return of.load(0, {x, y, z}); };
  Value const lambda = of.constant(0.1);
  Value const here = of.constant(1 - 2 * (0.1 + 0.1 + 0.1)) * u(0, 0, 0);
  Value const x = of.fused(lambda, u(-1, 0, 0) + u(1, 0, 0), here);
  Value const y = of.fused(lambda, u(0, -1, 0) + u(0, 1, 0), x);
  of.update(0, of.fused(lambda, u(0, 0, -1) + u(0, 0, 1), y));
  return of.program();
}

// The acoustic wave with derivatives of order 8; the step before is a field of its own.
grid::PointProgram wave_program() {
  constexpr double weights[]{-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
  constexpr double courant = 0.1;
  ProgramBuilder of({"u", "before"});
  Value sum = of.constant(3 * courant * weights[0]) * of.load(0);
  for (int k = 1; k <= 4; ++k) {
    Value const ring = (of.load(0, {-k}) + of.load(0, {k})) +
                       (of.load(0, {0, -k}) + of.load(0, {0, k})) +
                       (of.load(0, {0, 0, -k}) + of.load(0, {0, 0, k}));
    sum = of.fused(of.constant(courant * weights[k]), ring, sum);
  }
  of.update(0, of.fused(of.constant(2), of.load(0), sum) - of.load(1));
  of.update(1, of.load(0));
  return of.program();
}

struct Contestant {
  std::string name;
  std::shared_ptr<grid::Stencil> stencil;
  double bytes;  // that one step reads and writes at least
  int steps{1};  // at once
};

std::shared_ptr<grid::Stencil> made(grid::PointProgram const& of, grid::KernelChoice choice,
                                    int steps = 1) {
  grid::CheckedProgram const program(of, steps);
  return std::make_shared<grid::ProgramStencil>(program, grid::row_kernel(program, choice));
}

std::string at_once(std::string const& name, int steps) {
  return steps == 1 ? name : name + ", " + std::to_string(steps) + " steps at once";
}

std::vector<Contestant> contestants() {
  using Choice = grid::KernelChoice;
  std::vector<Contestant> all;
  for (int const steps : {1, 2, 3, 4}) {
    all.push_back({at_once("diffusion by hand", steps),
                   std::make_shared<diffusion::Diffusion>(
                       diffusion::Lambdas{0.1, 0.1, 0.1},
                       diffusion::DiffusionOptions{.steps_max = steps}),
                   16, steps});
    all.push_back({at_once("diffusion compiled", steps),
                   made(diffusion_program(), Choice::compiled, steps), 16, steps});
  }
  all.push_back({"diffusion interpreted", made(diffusion_program(), Choice::interpreted), 16});
  for (int const steps : {1, 2}) {
    all.push_back({at_once("wave compiled", steps),
                   made(wave_program(), Choice::compiled, steps), 32, steps});
  }
  return all;
}

bool is_alike(grid::StencilShape const& a, grid::StencilShape const& b) {
  return a.fields == b.fields;
}

void run(grid::Point size, int threads, int rounds, std::vector<std::string> const& names) {
  auto const all = contestants();
  std::unique_ptr<SlabBench> bench;
  grid::StencilShape shape;
  for (int round = 0; round <= rounds; ++round) {
    for (Contestant const& contestant : all) {
      if (!names.empty() && std::ranges::find(names, contestant.name) == names.end()) continue;
      grid::Stencil const& stencil = *contestant.stencil;
      if (!bench || !is_alike(shape, stencil.shape())) {
        shape = stencil.shape();
        bench = nullptr;
        bench = std::make_unique<SlabBench>(size, shape.fields, threads);
        static_cast<void>(bench->sweep(stencil, contestant.steps));  // touches memory
      }
      auto const rate = bench->beside_copies([&] { return bench->sweep(stencil, contestant.steps); });
      if (round == 0) continue;  // warms up
      std::printf(
          "{\"contestant\": \"%s\", \"points_per_s\": %.6g, \"copy_bytes_per_s\": %.6g, "
          "\"share\": %.4f}\n",
          contestant.name.c_str(), rate.points_per_s, rate.copy_bytes_per_s,
          contestant.bytes * rate.points_per_s / rate.copy_bytes_per_s);
      std::fflush(stdout);
    }
  }
}

}  // namespace
}  // namespace makespan::bench

int main(int argc, char** argv) {
  if (argc < 6) {
    std::fprintf(stderr, "usage: %s X Y Z THREADS ROUNDS [NAME ...]\n", argv[0]);
    return 2;
  }
  makespan::grid::Point const size{std::stol(argv[1]), std::stol(argv[2]), std::stol(argv[3])};
  makespan::bench::run(size, std::stoi(argv[4]), std::stoi(argv[5]), {argv + 6, argv + argc});
}
