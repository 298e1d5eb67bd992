// SPDX-License-Identifier: Apache-2.0
// Goal: a step takes what its parts take, hidden or not; the real cut, plan and rebalancer run.
// Method: few devices and sums by hand; properties of many.
#include "makespan/sim/grids/grid_simulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "makespan/base/error.hpp"
#include "makespan/grid/cut/slab_cut.hpp"
#include "sim/grids/small_jobs.hpp"

namespace makespan::sim {
namespace {

using grid::HostShare;
using grid::Schedule;

double seconds_of(GridDeviceUse const& use, GridPhase phase) {
  return use.times[static_cast<std::size_t>(phase)].value();
}

TEST(GridSimulation, of_one_device_takes_its_points) {
  GridResult const result = simulate_grid(row_of(1));

  EXPECT_NEAR(result.time.value(), 10 * sweep_s, 1e-12);
  EXPECT_NEAR(result.ideal.value(), 10 * sweep_s, 1e-12);
  EXPECT_EQ(result.messages, 0);
}

TEST(GridSimulation, without_overlap_adds_the_way_of_halos) {
  GridResult const result = simulated(row_of(2), Schedule::none);

  double const step = sweep_s + halo_s + latency_s + halo_s + halo_s;
  EXPECT_NEAR(result.last_step.value(), step, 1e-12);
  EXPECT_EQ(result.messages, 2);
  EXPECT_EQ(result.bytes, 1600.0);
  EXPECT_EQ(result.network_bytes, 1600.0);
  // The exchange before the first step is one more.
  for (GridDeviceUse const& use : result.devices) {
    EXPECT_EQ(use.planes, 40);
    EXPECT_NEAR(seconds_of(use, GridPhase::interior), 10 * sweep_s, 1e-12);
    EXPECT_NEAR(seconds_of(use, GridPhase::send), 11 * halo_s, 1e-12);
    EXPECT_NEAR(seconds_of(use, GridPhase::wait), 11 * (latency_s + halo_s), 1e-12);
    EXPECT_NEAR(seconds_of(use, GridPhase::unpack), 11 * halo_s, 1e-12);
  }
}

TEST(GridSimulation, with_overlap_takes_the_longer_of_interior_and_network) {
  GridJob job = row_of(2);
  double const boundary = sweep_s / 40;
  double const interior = sweep_s - boundary;

  GridResult const hidden = simulated(job, Schedule::overlap);
  EXPECT_NEAR(hidden.last_step.value(), sweep_s + 2 * halo_s, 1e-12);

  job.network.out.bandwidth = 8e4;
  GridResult const seen = simulated(job, Schedule::overlap);
  EXPECT_GT(1e-2, interior);
  EXPECT_NEAR(seen.last_step.value(), boundary + halo_s + latency_s + 1e-2 + halo_s, 1e-12);
}

TEST(GridSimulation, takes_the_network_s_work_from_what_processors_compute) {
  GridJob job = row_of(2);
  job.network.send = Seconds{3e-5};
  job.network.receive = Seconds{5e-5};

  EXPECT_NEAR(simulated(job, Schedule::overlap).last_step.value(),
              sweep_s + 2 * halo_s + 3e-5 + 5e-5, 1e-12);
  // Of a halo of several pieces each costs so much.
  job.network.piece_bytes = 200;
  EXPECT_NEAR(simulated(job, Schedule::overlap).last_step.value(),
              sweep_s + 2 * halo_s + 4 * (3e-5 + 5e-5), 1e-12);
}

TEST(GridSimulation, by_way_of_hosts_takes_their_copies_too) {
  GridJob job = row_of(2);
  job.network.relay = Seconds{2e-5};
  job.network.relay_bandwidth = 8e6;
  double const direct = simulated(job, Schedule::none).last_step.value();
  job.route = grid::Route::relayed;

  EXPECT_NEAR(simulated(job, Schedule::none).last_step.value(), direct + 2 * (2e-5 + halo_s),
              1e-12);
}

TEST(GridSimulation, of_messages_on_one_link_lets_the_later_wait) {
  // The one in the middle sends both ways by one link, each message in two units of time.
  GridJob job = row_of(3);
  job.network.out.bandwidth = 4e6;
  job.steps = 1;
  double const time = simulated(job, Schedule::none).time.value();

  // The first exchange: the second message of the middle one is there behind the first, and the
  // middle one knows so a latency later. In the step it is the last again, and then all meet.
  double const middle_begins = halo_s + 4 * halo_s + 2 * latency_s;
  double const second_there = middle_begins + sweep_s + halo_s + 4 * halo_s + latency_s;
  EXPECT_NEAR(time, second_there + halo_s + 4 * latency_s, 1e-12);
}

GridJob cards(double peer_bandwidth) {
  GridJob job = row_of(2);
  job.images[1].node = 0;
  for (GridImageModel& image : job.images) {
    image.devices[0].has_memory = true;
    image.devices[0].to_host = {.latency = Seconds{1e-5}, .bandwidth = 4e6};
    image.devices[0].to_device = {.latency = Seconds{1e-5}, .bandwidth = 4e6};
    image.devices[0].peer_bandwidth = peer_bandwidth;
  }
  return job;
}

TEST(GridSimulation, of_devices_with_memory_goes_over_their_links) {
  double const staged = simulated(cards(0.0), Schedule::none).last_step.value();
  double const peers = simulated(cards(2e6), Schedule::none).last_step.value();
  GridJob relayed = cards(2e6);
  relayed.route = grid::Route::relayed;
  relayed.network.relay = Seconds{1e-4};

  EXPECT_NEAR(staged, sweep_s + 2 * halo_s + 2 * (2e-4 + 1e-5), 1e-12);
  EXPECT_NEAR(peers, sweep_s + 2 * halo_s + 4e-4 + 2e-5, 1e-12);
  EXPECT_NEAR(simulated(relayed, Schedule::none).last_step.value(), staged + 2e-4, 1e-12);
}

TEST(GridSimulation, cuts_by_speed_and_by_the_real_function) {
  GridJob job = row_of(2);
  job.images[1].devices[0] = plain_device(3e6);

  GridResult const result = simulate_grid(job);
  EXPECT_EQ(result.devices[0].planes, 20);
  EXPECT_EQ(result.devices[1].planes, 60);
  EXPECT_NEAR(result.ideal.value(), 10 * 8000 / 4e6, 1e-12);
}

TEST(GridSimulation, gives_planes_again_to_a_device_that_had_none) {
  GridJob job = row_of(2);
  job.images[1].devices[0] = plain_device(5e3);
  job.knows_speeds = false;
  job.steps = 100;
  job.rebalance_steps = 10;
  EXPECT_EQ(simulate_grid(job).devices[1].planes, 0);

  // While the second has none, the first becomes five times as slow as that one.
  job.changes = {{.device = 0, .at = Seconds{8.1}, .factor = 1e-3}};
  EXPECT_EQ(simulate_grid(job).devices[1].planes, 67);
}

TEST(GridSimulation, counts_a_device_without_planes_as_was_said_of_it) {
  GridJob job = row_of(2);
  job.images[1].devices[0] = plain_device(5e3);  // too slow for a plane
  job.steps = 100;
  job.rebalance_steps = 10;
  GridResult const result = simulate_grid(job);
  EXPECT_EQ(result.devices[1].planes, 0);
  EXPECT_EQ(result.rebalances, 0);
}

TEST(GridSimulation, finds_speeds_that_it_was_not_told) {
  GridJob job = row_of(2);
  job.images[1].devices[0] = plain_device(3e6);
  job.knows_speeds = false;
  job.steps = 100;
  job.rebalance_steps = 10;

  GridResult const result = simulate_grid(job);
  EXPECT_EQ(result.looks, 9);
  EXPECT_EQ(result.rebalances, 1);
  EXPECT_EQ(result.planes_moved, 20);
  EXPECT_EQ(result.devices[1].planes, 60);
  EXPECT_GT(result.moving, Seconds{});
  EXPECT_LT(result.time, simulate_grid([&] {
                           GridJob still = job;
                           still.rebalance_steps = 0;
                           return still;
                         }())
                             .time);
}

TEST(GridSimulation, follows_a_device_that_becomes_slower) {
  GridJob job = row_of(2);
  job.steps = 200;
  job.rebalance_steps = 10;
  job.changes = {{.device = 1, .at = Seconds{0.2}, .factor = 1.0 / 3.0}};

  GridResult const result = simulate_grid(job);
  EXPECT_NEAR(static_cast<double>(result.devices[0].planes), 60, 1);
  EXPECT_GE(result.rebalances, 1);
  EXPECT_LE(result.rebalances, 3);
  double const done = 0.2 * 2e6;
  EXPECT_NEAR(result.ideal.value(), 0.2 + (200 * 8000 - done) / (4e6 / 3.0), 1e-9);
}

GridJob with_host(HostShare share, std::int64_t thickness) {
  GridJob job{.box = {{}, {10, 10, 100}}, .steps = 10};
  job.images.push_back({.devices = {plain_device(5e5), plain_device(), plain_device()}});
  job.layers = {.share = share, .thickness = thickness};
  return job;
}

TEST(GridSimulation, gives_a_host_its_layers) {
  EXPECT_EQ(simulate_grid(with_host(HostShare::none, 0)).devices[0].planes, 0);
  EXPECT_EQ(simulate_grid(with_host(HostShare::front_back, 3)).devices[0].planes, 6);
  EXPECT_EQ(simulate_grid(with_host(HostShare::all, 3)).devices[0].planes, 12);
}

TEST(GridSimulation, gives_a_host_layers_along_all_axes) {
  GridJob job = with_host(HostShare::all, 1);
  job.layers.thickness_y = 2;
  job.layers.thickness_x = 3;

  GridResult const result = simulate_grid(job);
  // Of 96 planes of the others 4 x 6 points are theirs.
  EXPECT_EQ(result.devices[1].points, 48 * 24);
  EXPECT_EQ(result.devices[2].points, 48 * 24);
  EXPECT_EQ(result.devices[0].points, 10000 - 96 * 24);
}

TEST(GridSimulation, keeps_a_host_just_busy_with_free_layers) {
  GridJob job = with_host(HostShare::front_back, 1);
  job.layers.is_free = true;

  // A fifth of all speed: ten of 100 planes in each of two layers.
  GridResult const result = simulate_grid(job);
  EXPECT_EQ(result.devices[0].planes, 20);
  EXPECT_LE(seconds_of(result.devices[1], GridPhase::wait), 0.05 * result.time.value());
}

// By what they measure it has as much as by what was said: of its layers beside the others each
// plane counts as the part of one that it is.
TEST(GridSimulation, measures_a_host_by_the_points_that_it_has) {
  GridJob job = with_host(HostShare::all, 0);
  job.box.end.y = 40;
  job.layers.thickness_y = 1;
  job.layers.is_free = true;
  job.steps = 100;
  job.rebalance_steps = 10;

  // A fifth of all speed: four of 40 rows at each end.
  GridResult const result = simulate_grid(job);
  EXPECT_EQ(result.looks, 9);
  EXPECT_EQ(result.rebalances, 0);
  EXPECT_EQ(result.devices[0].points, 2 * 4 * 10 * 100);
}

TEST(GridSimulation, of_a_host_is_flat_until_the_host_is_last) {
  auto const step = [](std::int64_t thickness) {
    return simulate_grid(with_host(HostShare::front_back, thickness)).last_step.value();
  };

  // Ten planes of each layer keep the host as long as the others.
  EXPECT_LT(step(9), step(1));
  EXPECT_GT(step(13), 1.1 * step(9));
}

TEST(GridSimulation, of_several_steps_at_once_exchanges_less_often) {
  GridJob job = row_of(2);
  job.network.out.latency = Seconds{0.1};
  job.schedule = Schedule::none;
  double const each = simulate_grid(job).last_step.value();
  job.steps_at_once = 5;

  GridResult const result = simulate_grid(job);
  EXPECT_EQ(result.bytes, 5 * 1600.0);
  EXPECT_LT(result.last_step.value(), each / 2);
  // Four, three, two and one more plane of a neighbour are computed by both.
  double const redundant = 10.0 * 100.0 / 1e6 / 5;
  EXPECT_NEAR(seconds_of(result.devices[0], GridPhase::interior) / 10, sweep_s + redundant, 1e-12);
}

TEST(GridSimulation, takes_longer_for_layers_as_their_axis_says) {
  GridJob job = row_of(8);
  job.box = {{}, {20, 20, 20}};
  job.images_along = {2, 2, 2};
  for (GridImageModel& image : job.images) {
    image.devices[0].boundary_factor = {2.0, 3.0, 5.0};
  }
  GridResult const result = simulated(job, Schedule::overlap);

  // A plane; rows of the nine that it leaves; and of these rows the vector that is at the end: its
  // last two points, in the other half of the grid its first eight.
  double const points = 5.0 * 100 + 3.0 * 90;
  EXPECT_NEAR(seconds_of(result.devices[0], GridPhase::boundary), 10e-6 * (points + 2.0 * 2 * 81),
              1e-12);
  EXPECT_NEAR(seconds_of(result.devices[1], GridPhase::boundary), 10e-6 * (points + 2.0 * 8 * 81),
              1e-12);
}

TEST(GridSimulation, repeats_to_the_last_bit_and_keeps_its_first_spans) {
  GridJob job = row_of(5);
  job.spans_kept = 7;

  GridResult const once = simulate_grid(job);
  GridResult const again = simulate_grid(job);
  job.spans_kept = 1000;
  GridResult const all = simulate_grid(job);
  EXPECT_EQ(once.time, again.time);
  ASSERT_EQ(std::ssize(once.spans), 7);
  ASSERT_EQ(std::ssize(again.spans), 7);
  ASSERT_GT(std::ssize(all.spans), 14);
  for (std::size_t at = 0; at < once.spans.size(); ++at) {
    GridSpan const& span = once.spans[at];
    EXPECT_LT(span.begin, span.end);
    for (GridSpan const& other : {again.spans[at], all.spans[at]}) {
      EXPECT_EQ(span.device, other.device) << at;
      EXPECT_EQ(span.phase, other.phase) << at;
      EXPECT_EQ(span.step, other.step) << at;
      EXPECT_EQ(span.begin, other.begin) << at;
      EXPECT_EQ(span.end, other.end) << at;
    }
  }
}

// The same planes on more and more nodes: halos take as long with few points as with many.
TEST(GridSimulation, of_the_same_grid_on_more_nodes_is_left_with_its_halos) {
  constexpr double planes = 480;
  constexpr double plane_s = sweep_s / 40;
  for (int const nodes : {4, 12, 120, 240}) {
    GridJob job = row_of(nodes);
    job.box.end.z = planes;
    job.wraps.z = true;  // all are alike
    job.network.out = {.latency = Seconds{halo_s}};
    job.network.in = {};
    double const part = planes / nodes * plane_s;
    // Two are packed, and travel for as long as one takes to be packed; two are unpacked.
    double const seen = part + 5 * halo_s;
    // Behind an interior they travel unseen, but of two planes nothing is left for it.
    double const hidden = nodes < 240 ? part + 4 * halo_s : seen;

    GridResult const plain = simulated(job, Schedule::none);
    EXPECT_NEAR(plain.last_step.value(), seen, 1e-12) << nodes;
    EXPECT_NEAR(plain.ideal.value(), 10 * part, 1e-12) << nodes;
    EXPECT_NEAR(simulated(job, Schedule::overlap).last_step.value(), hidden, 1e-12) << nodes;
  }
}

TEST(GridSimulation, of_a_thousand_nodes_is_as_efficient_as_of_sixteen) {
  auto const efficiency = [](int along) {
    GridJob job = row_of(1);
    job.box.end = {40 * along, 40 * along, 40 * along};
    job.images_along = {along, along, along};
    job.images.clear();
    for (int node = 0; node < along * along * along; ++node) {
      job.images.push_back({.node = node, .devices = {plain_device()}});
    }
    job.steps = 4;
    GridResult const result = simulate_grid(job);
    return result.ideal.value() / static_cast<double>(job.steps) / result.last_step.value();
  };

  double const of_many = efficiency(10);
  EXPECT_LT(of_many, 1.0);
  // From three along each axis on there are devices with six neighbours.
  EXPECT_NEAR(of_many, efficiency(3), 1e-3);
}

TEST(GridSimulation, refuses_rows_that_would_end_in_a_halo) {
  GridJob job = with_host(HostShare::front_back, 1);
  job.layers.thickness_x = 1;
  job.steps_at_once = 3;

  EXPECT_THAT([&] { static_cast<void>(simulate_grid(job)); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr("1 points beyond it")));
}

TEST(GridSimulation, refuses_a_host_without_other_devices) {
  GridJob job = row_of(2);
  job.layers.share = HostShare::none;

  EXPECT_THAT([&] { static_cast<void>(simulate_grid(job)); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr("no other device")));
}

}  // namespace
}  // namespace makespan::sim
