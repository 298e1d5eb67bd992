// SPDX-License-Identifier: Apache-2.0
// Goal: a GPU has the bits of the processor, alone and beside it, whatever moves between them.
// Method: whatever GPUs this machine has; what is said where there are none.
#include "makespan/apps/diffusion/gpu/gpu_diffusion.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "../plain_field.hpp"
#include "makespan/apps/diffusion/diffusion.hpp"
#include "makespan/base/error.hpp"
#include "makespan/cuda/gpu.hpp"
#include "makespan/grid/grid.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::diffusion {
namespace {

using grid::FaceKind;
using grid::Grid;
using grid::GridDevice;
using grid::GridOptions;
using grid::GridProblem;
using grid::Point;

constexpr Lambdas uneven{0.15, 0.05, 0.2};

struct Shares {
  double host{};  // speeds; none of 0
  double gpu{};
};

std::vector<Digest> digests_of(GridProblem const& problem, Shares const& shares,
                               GridOptions const& options) {
  Diffusion const stencil(uneven);
  std::vector<GridDevice> devices;
  if (shares.host > 0) devices.push_back({.stencil = &stencil, .speed = Speed{shares.host}});
  if (shares.gpu > 0) {
    devices.push_back(
        {.stencil = &stencil, .accelerator = gpu_diffusion(uneven, 0), .speed = Speed{shares.gpu}});
  }
  pgas::Runtime runtime(
      {.threads = 2, .heap_bytes = Grid::heap_bytes(problem, stencil.shape(), 2)});
  std::vector<Digest> digests;
  {
    Grid grid(runtime, problem, std::move(devices), options);
    grid.fill([](int, Point at) { return drawn_at(at); });
    grid.run_all(20);
    grid.run_all(21);  // after the host has been at the values
    digests = grid.digests_all();
    grid.close_all();
  }
  runtime.finish_all();
  return digests;
}

TEST(GpuDiffusion, is_refused_where_there_is_no_such_gpu) {
  auto const count = static_cast<int>(cuda::discover().gpus.size());
  EXPECT_THROW(static_cast<void>(gpu_diffusion(uneven, count)), InputError);
  EXPECT_THROW(static_cast<void>(gpu_diffusion(uneven, -1)), InputError);
}

TEST(GpuDiffusion, has_the_bits_of_the_processor) {
  if (cuda::discover().gpus.empty()) GTEST_SKIP() << cuda::discover().why_none;
  for (Point const size : {Point{1, 1, 1}, Point{65, 9, 70}, Point{200, 130, 129}}) {
    for (FaceKind const kind : {FaceKind::no_flux, FaceKind::value, FaceKind::periodic}) {
      GridProblem const problem{
          .box = {{}, size}, .faces = grid::faces_all(kind), .values = {{1, 2, 3, 4, 5, 6}}};
      std::vector<Digest> const expected = digests_of(problem, {.host = 1}, {});
      for (grid::Schedule const schedule : {grid::Schedule::none, grid::Schedule::overlap}) {
        for (Shares const shares : {Shares{0, 1}, Shares{1, 1}, Shares{1, 20}}) {
          EXPECT_EQ(digests_of(problem, shares, {.schedule = schedule}), expected)
              << size.z << " planes, face " << static_cast<int>(kind) << ", GPU " << shares.gpu;
        }
      }
      EXPECT_EQ(
          digests_of(problem, {1, 1}, {.rebalance = {.steps = 5, .options = {.gain_min = 0}}}),
          expected);
    }
  }
}

}  // namespace
}  // namespace makespan::diffusion
