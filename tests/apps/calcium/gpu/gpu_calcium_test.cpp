// SPDX-License-Identifier: Apache-2.0
// Goal: a GPU has the bits of the processor, alone and beside it, also when sources change between
// runs and planes move. Method: whatever GPUs this machine has; what is said where there are none.
#include "makespan/apps/calcium/gpu/gpu_calcium.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "makespan/apps/calcium/calcium_unit.hpp"
#include "makespan/base/error.hpp"
#include "makespan/cuda/gpu.hpp"
#include "makespan/grid/grid.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::calcium {
namespace {

using grid::Grid;
using grid::GridDevice;
using grid::GridOptions;

// A cleft at 15 nm with its channels.
CalciumSettings spark(Pumps const& pumps = {}) {
  return {
      .voxels = {.points = {72, 66, 48}, .spacing = 0.015}, .time_step = 1.5e-4, .pumps = pumps};
}

struct Shares {
  double host{};  // speeds; none of 0
  double gpu{};
};

std::vector<Digest> digests_of(Shares const& shares, GridOptions const& options,
                               Pumps const& pumps = {}) {
  CalciumUnit unit(spark(pumps));
  grid::GridProblem problem{.box = {{}, spark().voxels.points}};
  problem.values.resize(field_count);
  std::vector<GridDevice> devices;
  if (shares.host > 0) devices.push_back({.stencil = &unit, .speed = Speed{shares.host}});
  if (shares.gpu > 0) {
    devices.push_back(
        {.stencil = &unit, .accelerator = gpu_calcium(unit, 0), .speed = Speed{shares.gpu}});
  }
  pgas::Runtime runtime({.threads = 2, .heap_bytes = Grid::heap_bytes(problem, unit.shape(), 2)});
  std::vector<Digest> digests;
  {
    Grid grid(runtime, problem, std::move(devices), options);
    grid.fill_boxes([&](grid::Box const& box, std::span<grid::FieldView const> fields) {
      unit.start(box, fields);
    });
    grid.run_all(50);
    unit.set_sources({{.voxel = {36, 33, 24}, .amount = 3, .step_begin = 0, .step_end = 80}});
    grid.run_all(51);
    digests = grid.digests_all();
    grid.close_all();
  }
  runtime.finish_all();
  return digests;
}

TEST(GpuCalcium, is_refused_where_there_is_no_such_gpu) {
  CalciumUnit const unit(spark());
  auto const count = static_cast<int>(cuda::discover().gpus.size());
  EXPECT_THROW(static_cast<void>(gpu_calcium(unit, count)), InputError);
}

TEST(GpuCalcium, has_the_bits_of_the_processor) {
  if (cuda::discover().gpus.empty()) GTEST_SKIP() << cuda::discover().why_none;
  std::vector<Digest> const expected = digests_of({.host = 1}, {});
  using enum grid::Schedule;
  for (grid::Schedule const schedule : {none, overlap, pipeline}) {
    for (Shares const shares : {Shares{0, 1}, Shares{1, 1}, Shares{1, 9}}) {
      EXPECT_EQ(digests_of(shares, {.schedule = schedule}), expected) << shares.gpu;
    }
  }
  EXPECT_EQ(digests_of({1, 1}, {.rebalance = {.steps = 10, .options = {.gain_min = 0}}}), expected);
  Pumps const all{.serca = true, .membrane_pump = true, .exchanger = true};
  std::vector<Digest> const pumped = digests_of({.host = 1}, {}, all);
  EXPECT_NE(pumped, expected);
  EXPECT_EQ(digests_of({1, 1}, {}, all), pumped);
}

}  // namespace
}  // namespace makespan::calcium
