// SPDX-License-Identifier: Apache-2.0
// Goal: a GPU has the bits of the processor for any program, alone and beside it, while planes and
// parameters change. Method: programs drawn by chance and those of stars, on whatever GPU this
// machine has; what is said where there is none.
#include "makespan/apps/equations/gpu/gpu_equations.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "../../diffusion/diffusion_program.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/mixed_bits.hpp"
#include "makespan/cuda/gpu.hpp"
#include "makespan/grid/compile/gpu_compiler.hpp"
#include "makespan/grid/compile/gpu_kernel.hpp"
#include "makespan/grid/grid.hpp"
#include "makespan/grid/program/interpreter.hpp"
#include "makespan/pgas/runtime.hpp"
#include "random_program.hpp"
#include "scoped_variable.hpp"
#include "scratch_folder.hpp"
#include "star_program.hpp"

namespace makespan::equations {
namespace {

using grid::FaceKind;
using grid::Grid;
using grid::GridDevice;
using grid::GridOptions;
using grid::GridProblem;
using grid::Point;

struct Shares {
  double host{};  // speeds; none of 0
  double gpu{};
};

std::vector<grid::PointProgram> programs_of_checks() {
  RandomDraws draws(21);
  return {grid::star(1), grid::star(4), grid::odd_constants(),
          grid::random_program(draws, {.fields = 3, .radius = 2, .has_corners = true})};
}

std::unique_ptr<grid::ProgramStencil> stencil_of(grid::PointProgram const& of) {
  grid::CheckedProgram const program(of);
  return std::make_unique<grid::ProgramStencil>(
      program, std::make_unique<grid::Interpreter>(program), std::vector{0.25, 0.125});
}

double drawn_at(int field, Point at) {
  auto const number = static_cast<std::uint64_t>(((at.z * 401 + at.y) * 401 + at.x) * 7 + field);
  return static_cast<double>(mixed_bits(number) >> 11U) * 0x1p-52 - 1;
}

std::vector<Digest> digests_of(GridProblem const& problem, grid::PointProgram const& program,
                               Shares const& shares, GridOptions const& options) {
  auto const stencil = stencil_of(program);
  std::vector<GridDevice> devices;
  if (shares.host > 0) devices.push_back({.stencil = stencil.get(), .speed = Speed{shares.host}});
  if (shares.gpu > 0) {
    devices.push_back({.stencil = stencil.get(),
                       .accelerator = gpu_equations(*stencil, 0),
                       .speed = Speed{shares.gpu}});
  }
  pgas::Runtime runtime(
      {.threads = 2, .heap_bytes = Grid::heap_bytes(problem, stencil->shape(), 2)});
  std::vector<Digest> digests;
  {
    Grid grid(runtime, problem, std::move(devices), options);
    grid.fill(drawn_at);
    grid.run_all(10);
    stencil->set_parameters({0.5, 0.0625});
    grid.run_all(11);
    digests = grid.digests_all();
    grid.close_all();
  }
  runtime.finish_all();
  return digests;
}

class GpuEquations : public testing::Test {
 private:
  ScratchFolder folder_;
  ScopedVariable cache_{"XDG_CACHE_HOME", folder_.path().string()};
};

TEST_F(GpuEquations, are_refused_where_there_is_no_such_gpu) {
  auto const stencil = stencil_of(grid::star(1));
  auto const count = static_cast<int>(cuda::discover().gpus.size());
  EXPECT_THROW(static_cast<void>(gpu_equations(*stencil, count)), InputError);
  EXPECT_THROW(static_cast<void>(gpu_equations(*stencil, -1)), InputError);
}

// Those that the GPU's checks run, so that a machine with a compiler can make them for one with a
// GPU (tools/gpu_check).
TEST_F(GpuEquations, are_compiled_where_there_is_no_gpu) {
  if (grid::find_gpu_compiler().empty()) GTEST_SKIP() << "no nvcc";
  std::vector<grid::PointProgram> programs = programs_of_checks();
  programs.push_back(diffusion::diffusion_program());
  for (grid::PointProgram const& program : programs) {
    EXPECT_NO_THROW(
        grid::GpuKernel(grid::CheckedProgram(program), {.capability = 90, .cache = {}}));
  }
}

TEST_F(GpuEquations, have_the_bits_of_the_processor) {
  if (cuda::discover().gpus.empty()) GTEST_SKIP() << cuda::discover().why_none;
  if (grid::find_gpu_compiler().empty()) GTEST_SKIP() << "no nvcc";
  for (grid::PointProgram const& program : programs_of_checks()) {
    grid::FaceValues const values{0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
    for (Point const size : {Point{9, 8, 10}, Point{67, 13, 40}}) {
      for (FaceKind const kind : {FaceKind::no_flux, FaceKind::value, FaceKind::periodic}) {
        GridProblem const problem{.box = {{}, size},
                                  .faces = grid::faces_all(kind),
                                  .values = std::vector(program.fields.size(), values)};
        std::vector<Digest> const expected = digests_of(problem, program, {.host = 1}, {});
        for (Shares const shares : {Shares{0, 1}, Shares{1, 1}, Shares{1, 4}}) {
          EXPECT_EQ(digests_of(problem, program, shares, {}), expected)
              << program.fields.size() << " fields, " << size.z << " planes, face "
              << static_cast<int>(kind) << ", host " << shares.host;
        }
        EXPECT_EQ(digests_of(problem, program, {1, 1},
                             {.rebalance = {.steps = 5, .options = {.gain_min = 0}}}),
                  expected);
      }
    }
  }
}

}  // namespace
}  // namespace makespan::equations
