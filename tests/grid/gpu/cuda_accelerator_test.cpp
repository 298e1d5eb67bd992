// SPDX-License-Identifier: Apache-2.0
// Goal: what a GPU is measured to take is no more than has passed. Method: sweeps in both of its
// queues at once; skipped without a GPU.
#include "makespan/grid/gpu/cuda_accelerator.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>

#include "makespan/cuda/gpu.hpp"
#include "makespan/cuda/shared_memory.hpp"
#include "makespan/grid/field/slab_fields.hpp"
#include "makespan/grid/gpu/detail/field_kernels.hpp"

namespace makespan::grid {
namespace {

using Clock = std::chrono::steady_clock;

// Much longer than it takes to begin them, so that the queues run side by side.
constexpr int packs_of_sweep = 8;

TEST(CudaAccelerator, is_busy_once_where_both_queues_are) {
  if (cuda::discover().gpus.empty()) GTEST_SKIP() << cuda::discover().why_none;
  cuda::use_gpu(0);
  Box const box{{}, {128, 128, 128}};
  auto const points = static_cast<std::size_t>(box.points());
  cuda::SharedMemory const room = cuda::allocate_shared(2 * points * sizeof(double));
  auto* const packed = reinterpret_cast<double*>(room.get());
  auto const accelerator = cuda_accelerator(0, [&](Sweep const& sweep, cuda::Stream const& stream) {
    double* const to = packed + (sweep.step == 0 ? 0 : points);
    for (int i = 0; i < packs_of_sweep; ++i) launch_pack(sweep.now[0], sweep.box, to, stream);
  });
  SlabFields fields(
      {.box = box, .halo_width = 1, .roles = {FieldRole::spreads}, .values = {FaceValues{}}},
      [&](std::int64_t doubles) { return accelerator->memory(doubles); });
  fields.clear(fields.first_plane(), fields.last_plane());

  for (int round = 0; round < 3; ++round) {
    accelerator->begin();
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
