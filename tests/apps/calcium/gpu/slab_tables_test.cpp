// SPDX-License-Identifier: Apache-2.0
// Goal: a slab whose tables found no memory on the GPU gets them by the next sweep. Method:
// stand-ins for what the CUDA rooms do, on the host; the launch only notes what it was given.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>

#include "apps/calcium/unit_grid.hpp"
#include "makespan/apps/calcium/calcium_unit.hpp"
#include "makespan/apps/calcium/gpu/detail/column_kernel.hpp"
#include "makespan/apps/calcium/gpu/gpu_calcium.hpp"
#include "makespan/cuda/check_gpu.hpp"
#include "makespan/cuda/error.hpp"
#include "makespan/cuda/memory.hpp"
#include "makespan/grid/gpu/cuda_accelerator.hpp"

namespace {

bool has_memory = true;
makespan::grid::LaunchSweep launch;
makespan::calcium::ColumnJob launched{};

}  // namespace

namespace makespan::cuda {

void check_gpu(int /*gpu*/) {
}

std::byte* Memory::reserve_exactly(std::size_t bytes) {
  if (!has_memory) throw CudaFailed("no memory");
  memory_.reset(new std::byte[bytes]);
  bytes_ = bytes;
  return data();
}
void Memory::Release::operator()(std::byte* memory) const {
  delete[] memory;
}

Stream::Stream(Rank /*rank*/) {
}
void Stream::upload(void* gpu, void const* host, std::size_t bytes) const {
  std::memcpy(gpu, host, bytes);
}
void Stream::copy(void* to, void const* from, std::size_t bytes) const {
  std::memcpy(to, from, bytes);
}
void Stream::wait() const {
}
void Stream::DestroyStream::operator()(StreamObject* /*stream*/) const {
}
void Stream::DestroyEvent::operator()(EventObject* /*event*/) const {
}

}  // namespace makespan::cuda

namespace makespan::grid {

std::shared_ptr<Accelerator> cuda_accelerator(int /*gpu*/, LaunchSweep sweep) {
  launch = std::move(sweep);
  return nullptr;
}

}  // namespace makespan::grid

namespace makespan::calcium {

void launch_columns(ColumnJob const& job, cuda::Stream const& /*stream*/) {
  launched = job;
}

namespace {

// A unit that is swept by what was made for a GPU.
class Launched final : public grid::Stencil {
 public:
  explicit Launched(CalciumUnit const& unit) : unit_{unit} {}

  [[nodiscard]] grid::StencilShape shape() const override { return unit_.shape(); }
  void sweep(grid::Sweep const& sweep) const override { launch(sweep, cuda::Stream()); }

 private:
  CalciumUnit const& unit_;
};

TEST(SlabTables, come_with_the_next_sweep_when_there_was_no_memory) {
  constexpr grid::Point points{21, 11, 9};
  CalciumUnit const unit({.voxels = {.points = points, .spacing = 0.03},
                          .time_step = 1e-4,
                          .geometry = {.layout = Layout::plain},
                          .openings = {}});
  Launched const on_gpu(unit);
  UnitGrid slab(on_gpu, points);
  static_cast<void>(gpu_calcium(unit, 0));
  has_memory = false;
  EXPECT_THROW(slab.step(on_gpu, 0), cuda::CudaFailed);
  EXPECT_EQ(launched.tables.codes, nullptr);
  has_memory = true;

  slab.step(on_gpu, 0);

  ASSERT_NE(launched.tables.factors, nullptr);
  EXPECT_NE(launched.tables.codes, nullptr);
  // Made once.
  PointCode const* const codes = launched.tables.codes;
  slab.step(on_gpu, 1);
  EXPECT_EQ(launched.tables.codes, codes);
}

// Planes of a slab that was there before are copied from it.
TEST(SlabTables, are_right_when_planes_have_moved) {
  constexpr double h = 0.04;
  constexpr grid::Point points{40, 30, 19};
  CalciumUnit const unit({.voxels = {.points = points, .spacing = h},
                          .time_step = 1e-4,
                          .geometry = {.cleft_height = h, .jsr_thickness = h, .ryr_pitch = h},
                          .openings = {}});
  Launched const on_gpu(unit);
  static_cast<void>(gpu_calcium(unit, 0));
  has_memory = true;
  auto const box_of = [&](std::int64_t begin, std::int64_t end) {
    return grid::Box{{0, 0, begin}, {points.x, points.y, end}};
  };
  for (grid::Box const& box : {box_of(4, 9), box_of(6, 12), box_of(2, 7), box_of(0, 19),
                               grid::Box{{3, 0, 4}, {points.x, points.y, 9}}, box_of(10, 19)}) {
    grid::SlabFields const fields(
        {.box = box,
         .domain = {{}, points},
         .halo_width = 1,
         .roles = unit.shape().fields,
         .values = std::vector<grid::FaceValues>(unit.shape().fields.size())});
    on_gpu.sweep({.box = box, .steps = 1, .now = fields.now(), .next = fields.next()});

    auto const expected = point_codes(unit.map(), unit.factors(), unit.sources(), box);
    EXPECT_EQ(
        std::memcmp(launched.tables.codes, expected.data(), expected.size() * sizeof(PointCode)), 0)
        << box.begin.z << " to " << box.end.z;
  }
}

}  // namespace
}  // namespace makespan::calcium
