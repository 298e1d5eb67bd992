// SPDX-License-Identifier: Apache-2.0
// Goal: an accelerator's step has the order of a real one, whose thread packs, waits and unpacks
// while sweeps go on. Method: few devices and sums by hand.
#include "makespan/sim/grids/detail/device_turns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "makespan/sim/grids/grid_simulation.hpp"
#include "sim/grids/small_jobs.hpp"

namespace makespan::sim {
namespace {

using grid::HostShare;
using grid::Schedule;

GridJob accelerators() {
  GridJob job = row_of(2);
  for (GridImageModel& image : job.images) {
    image.devices[0].is_queued = true;
    image.devices[0].start = Seconds{1e-5};
  }
  return job;
}

TEST(DeviceTurns, of_accelerators_packs_and_unpacks_while_they_compute) {
  GridJob job = accelerators();

  EXPECT_NEAR(simulated(job, Schedule::overlap).last_step.value(), 1e-5 + sweep_s, 1e-12);
  EXPECT_NEAR(simulated(job, Schedule::none).last_step.value(),
              1e-5 + sweep_s + 3 * halo_s + latency_s, 1e-12);

  // A halo that comes 10 us before the interior is done, and takes 100 us to be unpacked.
  double const boundary = sweep_s / 40;
  double const comes = sweep_s - 1e-5;
  job.network.out.bandwidth = 800 / (comes - boundary - halo_s - latency_s);
  GridResult const slow = simulated(job, Schedule::overlap);
  EXPECT_NEAR(slow.last_step.value(), 1e-5 + comes + halo_s, 1e-12);
  // All that the accelerator computes of its interior, whatever its thread does meanwhile.
  EXPECT_NEAR(slow.devices[0].interior_busy.value(),
              static_cast<double>(job.steps) * (sweep_s - boundary), 1e-12);
}

TEST(DeviceTurns, of_accelerators_counts_as_their_start_what_is_not_behind_sweeps) {
  GridJob job = accelerators();
  job.steps = 100;
  job.rebalance_steps = 10;
  // It packs and unpacks within its interior: that takes none of its planes.
  job.images[1].devices[0].pack_bandwidth = 8e5;
  EXPECT_EQ(simulate_grid(job).rebalances, 0);

  // Without overlap it is 1.8 ms later than the other, which so gets half as much of planes.
  job.schedule = Schedule::none;
  EXPECT_EQ(simulate_grid(job).devices[0].planes, 49);
}

TEST(DeviceTurns, of_an_accelerator_with_two_slabs_does_boundaries_first) {
  GridJob job{.box = {{}, {10, 10, 44}}, .steps = 1};
  job.images.push_back({.devices = {plain_device(), plain_device()}});
  job.images[0].devices[0].is_queued = true;
  job.layers = {.share = HostShare::front_back, .thickness = 20};
  job.spans_kept = 1000;

  std::vector<GridSpan> at_step;
  for (GridSpan const& span : simulate_grid(job).spans) {
    bool const is_of_step = !at_step.empty() || span.phase == GridPhase::boundary;
    if (span.device == 0 && is_of_step) at_step.push_back(span);
  }
  // A plane of each slab, and its halo; then what both have, which takes as long in any order.
  ASSERT_GE(at_step.size(), 5U);
  Seconds const begin = at_step[0].begin;
  for (std::size_t at = 0; at < 4; ++at) {
    EXPECT_EQ(at_step[at].phase, at % 2 == 0 ? GridPhase::boundary : GridPhase::send);
    EXPECT_NEAR((at_step[at].end - begin).value(), 1e-4 * static_cast<double>(at + 1), 1e-12);
  }
  Seconds last{};
  for (GridSpan const& span : at_step) {
    if (span.phase == GridPhase::interior) last = std::max(last, span.end);
  }
  EXPECT_NEAR((last - begin).value(), 2 * 20 * 1e-4, 1e-12);
}

}  // namespace
}  // namespace makespan::sim
