// SPDX-License-Identifier: Apache-2.0
// Goal: what a GPU tells of its fields is what the host would, values come and go unharmed, and
// what it is measured to take is no more than has passed. Method: fields with the same values on
// the host and on a GPU; sweeps in both of its queues at once; skipped without a GPU.
#include "makespan/grid/gpu/cuda_accelerator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "makespan/cuda/gpu.hpp"
#include "makespan/cuda/memory.hpp"
#include "makespan/grid/detail/slab.hpp"
#include "makespan/grid/field/slab_fields.hpp"
#include "makespan/grid/gpu/detail/field_kernels.hpp"

namespace makespan::grid {
namespace {

using Clock = std::chrono::steady_clock;

// Much longer than it takes to begin them, so that the queues run side by side.
constexpr int packs_of_sweep = 8;

constexpr Box whole{{0, 0, 0}, {60, 50, 40}};
constexpr Box slab{{5, 6, 7}, {50, 40, 30}};
constexpr Box moved_slab{{5, 6, 11}, {50, 40, 37}};

SlabPlan plan_of(Box const& box) {
  return {.box = box,
          .domain = whole,
          .halo_width = 1,
          .roles = {FieldRole::spreads, FieldRole::stays},
          .values = {FaceValues{}, FaceValues{}}};
}

// The same values on both.
class CudaFields : public testing::Test {
 protected:
  void SetUp() override {
    if (cuda::discover().gpus.empty()) GTEST_SKIP() << cuda::discover().why_none;
    accelerator_ = cuda_accelerator(0, [](Sweep const&, cuda::Stream const&) {});
    here_.emplace(plan_of(slab));
    here_->clear(here_->first_plane(), here_->last_plane());
    there_.emplace(plan_of(slab), source());
    std::vector<double> values = numbered(2 * slab.points());
    unpack(values.data(), here_->now(), slab);
    write(values, *there_, slab);
  }

  FieldSource source() {
    return [this](std::int64_t doubles) { return accelerator_->memory(doubles); };
  }
  static std::vector<double> numbered(std::int64_t count) {
    std::vector<double> values(static_cast<std::size_t>(count));
    std::iota(values.begin(), values.end(), 0.5);
    return values;
  }
  void write(std::vector<double> const& values, SlabFields const& fields, Box const& box) {
    accelerator_->unpack(values.data(), fields.now(), box, HaloSide::host);
    while (!accelerator_->is_done()) {
    }
  }
  std::vector<double> read(SlabFields const& fields, Box const& box) {
    std::vector<double> values(static_cast<std::size_t>(2 * box.points()));
    accelerator_->pack(fields.now(), box, values.data(), HaloSide::host);
    return values;
  }
  std::vector<double> expected(Box const& box) const {
    std::vector<double> values(static_cast<std::size_t>(2 * box.points()));
    pack(here_->now(), box, values.data());
    return values;
  }

  std::shared_ptr<Accelerator> accelerator_;
  std::optional<SlabFields> here_;
  std::optional<SlabFields> there_;
};

constexpr Box boxes[]{slab,
                      {{5, 6, 7}, {6, 40, 30}},
                      {{5, 39, 7}, {50, 40, 30}},
                      {{5, 6, 29}, {50, 40, 30}},
                      {{17, 20, 9}, {18, 21, 10}}};

TEST_F(CudaFields, are_0_at_first) {
  SlabFields const fresh(plan_of(slab), source());
  std::vector<double> const values = read(fresh, grown(slab, 1));
  EXPECT_EQ(std::ranges::count(values, 0.0), std::ssize(values));
}

TEST_F(CudaFields, come_and_go_as_the_host_packs_them) {
  for (Box const& box : boxes) {
    EXPECT_EQ(read(*there_, box), expected(box)) << box.points();
    std::vector<double> values = expected(box);
    for (double& value : values) value = -value;
    unpack(values.data(), here_->now(), box);
    write(values, *there_, box);
    EXPECT_EQ(read(*there_, slab), expected(slab)) << box.points();
  }
}

// What kernels reach they write and read where it is.
TEST_F(CudaFields, come_and_go_in_memory_in_reach) {
  std::vector<double> heap(static_cast<std::size_t>(2 * slab.points()) + 1000);
  auto const token = accelerator_->reach(heap);
  auto const again = accelerator_->reach(heap);
  EXPECT_EQ(again, token);
  std::span<double> const room(heap.data() + 700, static_cast<std::size_t>(2 * slab.points()));
  accelerator_->pack(there_->now(), slab, room.data(), HaloSide::host);
  EXPECT_EQ(std::vector(room.begin(), room.end()), expected(slab));

  SlabFields const other(plan_of(slab), source());
  accelerator_->unpack(room.data(), other.now(), slab, HaloSide::host);
  while (!accelerator_->is_done()) {
  }
  EXPECT_EQ(read(other, slab), expected(slab));
}

TEST_F(CudaFields, go_from_slab_to_slab) {
  SlabFields const other(plan_of(moved_slab), source());
  Box const both = intersection(slab, moved_slab);
  accelerator_->copy(there_->now(), other.now(), both);
  while (!accelerator_->is_done()) {
  }
  EXPECT_EQ(read(other, both), expected(both));
}

TEST_F(CudaFields, have_the_digests_of_the_host) {
  auto const planes = static_cast<std::size_t>(2 * whole.extent().z);
  std::vector<Digest> here(planes, Digest{1, 2});
  std::vector<Digest> there = here;
  add_digests(here_->now(), whole, here);
  accelerator_->add_digests(there_->now(), whole, there);
  EXPECT_EQ(there, here);
}

TEST_F(CudaFields, have_the_summary_of_the_host) {
  for (FieldView const* const there : {&there_->now()[0], &there_->now()[1]}) {
    FieldView const& here = here_->now()[static_cast<std::size_t>(there - there_->now().data())];
    EXPECT_EQ(accelerator_->range_of(*there), range_of(here, slab));
    EXPECT_EQ(accelerator_->sum_of(*there, -16), sum_of(here, slab, -16));
  }
}

// Parts of a view as Grid::summary_all() makes them: they begin elsewhere, and have no halo.
TEST_F(CudaFields, have_the_summary_of_the_host_in_a_part) {
  for (Box const& box : boxes) {
    FieldView const& here = here_->now()[1];
    FieldView part = there_->now()[1];
    Point const by = box.begin - part.box.begin;
    part.first = part.at(by.y, by.z) + by.x;
    part.domain = moved(part.domain, Point{} - by);
    part.box = box;
    EXPECT_EQ(accelerator_->range_of(part), range_of(here, box)) << box.points();
    EXPECT_EQ(accelerator_->sum_of(part, -16), sum_of(here, box, -16)) << box.points();
  }
}

TEST_F(CudaFields, name_the_first_bad_value) {
  EXPECT_FALSE(accelerator_->find_bad_value(there_->now()));
  constexpr double infinity = std::numeric_limits<double>::infinity();
  // The last is the first, by z, then y, then x.
  for (Point const& at : {Point{49, 39, 29}, Point{6, 30, 9}, Point{40, 29, 9}}) {
    write({1, infinity}, *there_, {at, at + Point{1, 1, 1}});
    auto const bad = accelerator_->find_bad_value(there_->now());
    ASSERT_TRUE(bad);
    EXPECT_EQ(bad->field, 1);
    EXPECT_EQ(bad->at, at);
    EXPECT_EQ(bad->value, infinity);
  }
  write({-infinity, 1}, *there_, {{49, 39, 29}, {50, 40, 30}});
  EXPECT_EQ(accelerator_->find_bad_value(there_->now())->field, 0);
}

TEST(CudaAccelerator, is_busy_once_where_both_queues_are) {
  if (cuda::discover().gpus.empty()) GTEST_SKIP() << cuda::discover().why_none;
  cuda::use_gpu(0);
  Box const box{{}, {128, 128, 128}};
  auto const points = static_cast<std::size_t>(box.points());
  cuda::Memory room(cuda::MemorySpace::gpu);
  auto* const packed = reinterpret_cast<double*>(room.reserve(2 * points * sizeof(double)));
  auto const accelerator = cuda_accelerator(0, [&](Sweep const& sweep, cuda::Stream const& stream) {
    double* const to = packed + (sweep.step == 0 ? 0 : points);
    for (int i = 0; i < packs_of_sweep; ++i) launch_pack(sweep.now[0], sweep.box, to, stream);
  });
  SlabFields fields(
      {.box = box, .halo_width = 1, .roles = {FieldRole::spreads}, .values = {FaceValues{}}},
      [&](std::int64_t doubles) { return accelerator->memory(doubles); });

  for (int round = 0; round < 3; ++round) {
    auto const begin = Clock::now();
    for (std::int64_t const queue : {0, 1}) {
      accelerator->sweep(
          {.box = box, .step = queue, .steps = 1, .now = fields.now(), .next = fields.next()},
          queue == 0 ? SweepQueue::boundary : SweepQueue::interior);
    }
    while (!accelerator->is_done()) {
    }
    double const passed = std::chrono::duration<double>(Clock::now() - begin).count();
    Seconds const busy = accelerator->take_busy();
    EXPECT_GT(busy, Seconds{0.0});
    EXPECT_LE(busy, Seconds{passed});
  }
}

}  // namespace
}  // namespace makespan::grid
