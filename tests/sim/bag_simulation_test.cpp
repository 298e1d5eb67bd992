// SPDX-License-Identifier: Apache-2.0
// Goal: a simulated bag ends when arithmetic says it does, on one image and on several, by every
// dispatcher and policy, and is the same every time. Method: machines of which the end is known.
#include "makespan/sim/bag_simulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "apart.hpp"
#include "makespan/bag/policy/policy_registry.hpp"
#include "makespan/base/error.hpp"

namespace makespan::sim {
namespace {

DeviceModel device(double speed) {
  return {.kind = "cpu", .speed = Speed{speed}};
}

// Devices dealt out to images in turn, each image a node.
MachineModel machine_of(std::vector<double> const& speeds, int images) {
  MachineModel machine;
  for (int image = 0; image < images; ++image) machine.images.push_back({.node = image});
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    machine.images[i % machine.images.size()].devices.push_back(device(speeds[i]));
  }
  return machine;
}

std::vector<bag::Segment> tasks(std::int64_t count, double cost) {
  std::vector<bag::Segment> segments;
  for (std::int64_t task = 0; task < count; ++task) {
    double const uneven = 0.5 + static_cast<double>(task * 7919 % 1000) / 1000.0;
    segments.push_back({TaskId{task}, 1, Work{cost * uneven}});
  }
  return segments;
}

std::int64_t items_of(BagResult const& result) {
  std::int64_t items = 0;
  for (WorkerUse const& use : result.workers) items += use.items;
  return items;
}

TEST(BagSimulation, of_one_device_takes_the_work_over_its_speed) {
  BagJob job{.machine = machine_of({4.0}, 1), .segments = {{TaskId{0}, 1000, Work{2.0}}}};

  BagResult const result = simulated(job);

  EXPECT_TRUE(result.complete);
  EXPECT_NEAR(result.makespan.value(), 500.0, 1e-6);
  EXPECT_NEAR(result.ideal.value(), 500.0, 1e-9);
  EXPECT_EQ(items_of(result), 1000);
}

TEST(BagSimulation, static_shares_end_when_the_slowest_does) {
  // 500 items each; the slow one needs 500 s.
  BagJob job{.machine = machine_of({1.0, 4.0}, 1),
             .segments = {{TaskId{0}, 1000, Work{1.0}}},
             .dispatcher = bag::Dispatcher::fixed};

  BagResult const result = simulated(job);

  EXPECT_NEAR(result.makespan.value(), 500.0, 1e-6);
  EXPECT_EQ(result.claims, 2);
  EXPECT_EQ(result.workers[0].items, 500);
}

TEST(BagSimulation, every_dispatcher_on_any_number_of_images_finishes_every_item_once) {
  std::vector<double> const speeds{1, 2, 1, 4, 1, 8};
  for (int const images : {1, 2, 3, 6}) {
    for (bag::DispatcherEntry const& entry : bag::dispatchers()) {
      BagJob job{.machine = machine_of(speeds, images),
                 .segments = tasks(3000, 0.01),
                 .dispatcher = entry.dispatcher};

      BagResult const result = simulated(job);

      EXPECT_TRUE(result.complete) << entry.name << ' ' << images;
      EXPECT_EQ(items_of(result), 3000) << entry.name << ' ' << images;
      EXPECT_GE(result.makespan, result.ideal) << entry.name << ' ' << images;
      if (bag::steals_tails(entry.dispatcher)) {
        EXPECT_LT(result.makespan / result.ideal, 1.02) << entry.name << ' ' << images;
      }
    }
  }
}

TEST(BagSimulation, every_policy_finishes_every_item_once) {
  for (bag::PolicyEntry const& entry : bag::policies()) {
    for (int const images : {1, 3}) {
      BagJob job{.machine = machine_of({1, 1, 5, 1, 1, 5}, images),
                 .segments = tasks(2000, 0.01),
                 .policy = std::string(entry.name)};

      BagResult const result = simulated(job);

      EXPECT_TRUE(result.complete) << entry.name << ' ' << images;
      EXPECT_EQ(items_of(result), 2000) << entry.name << ' ' << images;
      EXPECT_LT(result.makespan / result.ideal, 1.02) << entry.name << ' ' << images;
    }
  }
}

TEST(BagSimulation, is_the_same_every_time_and_another_for_another_seed) {
  BagJob job{.machine = machine_of({1, 3, 2, 2}, 2), .segments = tasks(500, 0.01)};
  for (ImageModel& image : job.machine.images) {
    for (DeviceModel& model : image.devices) model.noise = 0.2;
  }
  BagResult const first = simulated(job);
  BagResult const again = simulated(job);
  job.machine.seed = 2;
  BagResult const other = simulated(job);

  EXPECT_EQ(first.makespan, again.makespan);
  EXPECT_EQ(first.claims, again.claims);
  EXPECT_NE(first.makespan, other.makespan);
}

// Image 0 keeps the counter and computes nothing; image 1 claims every item by itself.
BagJob claims_of_one_image(double latency) {
  BagJob job{.machine = machine_of({1, 1e6}, 2),
             .segments = {{TaskId{0}, 1000, Work{1.0}}},
             .policy = "self",
             .dispatcher = bag::Dispatcher::counter};
  job.machine.changes = {{.device = 0, .at = Seconds{0}, .factor = 0}};
  job.machine.network.latency = Seconds{latency};
  job.machine.network.atomic = Seconds{1e-6};
  return job;
}

TEST(BagSimulation, pays_a_round_trip_and_the_counter_for_a_claim) {
  for (double const latency : {1e-5, 1e-4}) {
    BagResult const result = simulated(claims_of_one_image(latency));

    // Claims are out, counted and back; the item takes a microsecond.
    EXPECT_TRUE(result.complete);
    EXPECT_NEAR(result.makespan.value() / (1000 * (2 * latency + 2e-6)), 1.0, 0.03) << latency;
    EXPECT_GE(result.operations, 999);
  }
}

TEST(BagSimulation, waits_for_workers_that_have_to_serve_the_network) {
  std::vector<double> makespans;
  for (Progress const progress :
       {Progress::network, Progress::helper, Progress::hand, Progress::none}) {
    // Image 0 needs 1 s for an item, ten of which are a chunk (Kruskal and Weiss); image 1 a
    // hundredth of that.
    BagJob job{
        .machine = machine_of({1, 100}, 2),
        .segments = {{TaskId{0}, 1000, Work{1.0}}},
        .policy = "fixed",
        .policy_options = {{"item_s_mean", 1.0}, {"item_s_deviation", 1.0}, {"claim_s", 0.037}},
        .dispatcher = bag::Dispatcher::counter};
    job.machine.network.progress = progress;
    makespans.push_back(simulated(job).makespan.value());
  }
  // A claim takes three calls, since this policy sees all of them; each is served when image 0 has
  // ended an item, or a chunk: beside its item a second, image 1 does ten in 3 s, or in 30.
  EXPECT_EQ(makespans[0], makespans[1]);
  EXPECT_LT(makespans[1], 12);
  EXPECT_NEAR(makespans[2], 1000 / (1 + 10 / 3.0), 15);
  EXPECT_NEAR(makespans[3], 1000 / (1 + 10 / 30.0), 15);
}

// All claim in the same microsecond, 300 images with a worker each.
BagResult claims_at_once(bag::Mode mode) {
  BagJob job{.machine = machine_of(std::vector<double>(300, 1.0), 300),
             .segments = tasks(900, 1.0),
             .policy = "guided",
             .dispatcher = bag::Dispatcher::counter};
  for (ImageModel& image : job.machine.images) image.devices.front().mode = mode;
  return simulated(job);
}

TEST(BagSimulation, claims_by_an_addition_where_an_exchange_is_lost) {
  BagResult const result = claims_at_once(bag::Mode::automatic);

  // A look, an exchange, an addition; at the end each image looks twice, at the bag and at speeds.
  EXPECT_TRUE(result.complete);
  EXPECT_LE(result.operations, 3 * result.claims + 4 * 300);
}

TEST(BagSimulation, tries_less_often_where_many_lose_and_tasks_are_whole) {
  BagResult const result = claims_at_once(bag::Mode::mo);

  // If all tried again at once it were 300^2 / 2 exchanges for the first claim of each alone.
  EXPECT_TRUE(result.complete);
  EXPECT_LE(result.operations, 20 * (result.claims + 300));
}

TEST(BagSimulation, tells_the_tracker_less_often_where_many_do) {
  constexpr int workers = 200;
  BagJob job{.machine = machine_of(std::vector<double>(workers, 1000.0), workers),
             .segments = {{TaskId{0}, workers * 100, Work{10.0}}},
             .policy = "self",
             .dispatcher = bag::Dispatcher::counter};

  BagResult const result = simulated(job);

  // Each has a fifth of a second between two of them, and a second of work; 10 ms were 100 each.
  EXPECT_TRUE(result.complete);
  EXPECT_GE(result.messages, workers * 4);
  EXPECT_LE(result.messages, workers * 12);
}

TEST(BagSimulation, begins_with_the_speeds_that_are_remembered) {
  BagJob job{.machine = machine_of({1, 3}, 1),
             .segments = {{TaskId{0}, 4000, Work{1.0}}},
             .spans_kept = 4};
  job.policy_options = {{"chunk_s_max", 3600.0}};
  EXPECT_EQ(simulated(job).spans[1].items, 1);  // it learns

  job.speeds = {Speed{1}, Speed{3}};
  BagResult const result = simulated(job);
  ASSERT_EQ(result.spans.size(), 4U);
  // A quarter of what is left for both: of 1000 s at a speed of 1, then of 937.5 s at 3.
  EXPECT_EQ(result.spans[0].kind, SpanKind::claim);
  EXPECT_EQ(result.spans[0].items, 250);
  EXPECT_EQ(result.spans[1].items, 703);
}

TEST(BagSimulation, of_which_all_devices_fail_has_no_ideal) {
  BagJob job{.machine = machine_of({1, 1}, 1), .segments = tasks(100, 1.0)};
  job.machine.changes = {{.device = 0, .at = Seconds{5}}, {.device = 1, .at = Seconds{6}}};

  BagResult const result = simulated(job);

  EXPECT_FALSE(result.complete);
  EXPECT_TRUE(std::isinf(result.ideal.value()));
  EXPECT_LT(items_of(result), 12);
}

TEST(BagSimulation, of_costs_that_are_none_is_refused) {
  for (double const cost : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    BagJob job{.machine = machine_of({1}, 1), .segments = {{TaskId{7}, 3, Work{cost}}}};
    EXPECT_THAT([&] { static_cast<void>(simulate(job)); },
                testing::ThrowsMessage<InputError>(testing::HasSubstr("task 7: cost = ")));
    job.segments = {{TaskId{0}, 3, Work{1}}};
    job.cost_factors = {cost};
    EXPECT_THAT([&] { static_cast<void>(simulate(job)); },
                testing::ThrowsMessage<InputError>(testing::HasSubstr("task 0: cost factor = ")));
  }
}

TEST(BagSimulation, of_more_items_than_doubles_count_is_refused) {
  BagJob job{.machine = machine_of({1}, 1),
             .segments = {{TaskId{0}, std::int64_t{1} << 53, Work{1}}, {TaskId{1}, 2, Work{1}}}};
  EXPECT_THAT([&] { static_cast<void>(simulate(job)); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr("items together")));
}

TEST(BagSimulation, of_results_without_a_size_is_refused) {
  BagJob job{.machine = machine_of({1}, 1), .segments = tasks(3, 1.0)};
  for (double const bytes : {-1.0, std::nan(""), HUGE_VAL}) {
    job.result_bytes_per_item = bytes;
    EXPECT_THAT([&] { static_cast<void>(simulate(job)); },
                testing::ThrowsMessage<InputError>(testing::HasSubstr("result bytes of an item")));
  }
}

TEST(BagSimulation, of_remembered_speeds_that_are_none_is_refused) {
  for (int const images : {1, 2}) {
    BagJob job{.machine = machine_of({1, 1}, images), .segments = tasks(3, 1.0)};
    for (double const speed : {-1.0, std::nan(""), HUGE_VAL}) {
      job.speeds.assign(2, Speed{speed});
      EXPECT_THAT([&] { static_cast<void>(simulate(job)); },
                  testing::ThrowsMessage<InputError>(testing::HasSubstr("remembered speed")));
    }
  }
}

TEST(BagSimulation, has_no_device_of_a_lost_image_in_its_ideal) {
  BagJob job{.machine = machine_of({1, 1}, 2), .segments = tasks(1000, 0.1)};
  job.machine.losses = {{.image = 1, .at = Seconds{10}}};
  Seconds const ideal = simulated(job).ideal;
  // Whatever would have become of it.
  job.machine.changes = {{.device = 1, .at = Seconds{20}, .factor = 0.5}};

  EXPECT_EQ(simulated(job).ideal, ideal);
}

TEST(BagSimulation, holds_the_bound_when_a_device_slows_or_fails) {
  for (int const images : {1, 2}) {
    for (double const factor : {0.1, 0.0}) {
      BagJob job{.machine = machine_of({1, 1, 1, 1, 1, 1, 1, 1, 40}, images),
                 .segments = tasks(20'000, 1.0)};
      job.machine.changes = {{.device = 0, .at = Seconds{200}, .factor = factor}};

      BagResult const result = simulated(job);

      EXPECT_TRUE(result.complete);
      EXPECT_LT(result.makespan / result.ideal, 1.03) << images << ' ' << factor;
    }
  }
}

// A device that has failed answers others at once, also one that fails at the same moment.
TEST(BagSimulation, ends_when_devices_of_two_images_fail_at_once) {
  for (Progress const progress : {Progress::hand, Progress::none}) {
    for (int const first : {0, 1}) {
      // Short tasks: each has ended some that it has not told of yet.
      BagJob job{.machine = machine_of({1, 1, 1}, 3), .segments = tasks(30'000, 0.01)};
      job.machine.network.progress = progress;
      job.machine.changes = {{.device = first, .at = Seconds{20}},
                             {.device = 1 - first, .at = Seconds{20}}};

      BagResult const result = simulated(job);

      // One device does the rest, and would take 300 s for all of it.
      EXPECT_TRUE(result.complete) << first;
      EXPECT_LT(result.makespan.value(), 300.0) << first;
    }
  }
}

TEST(BagSimulation, survives_the_loss_of_an_image) {
  BagJob job{.machine = machine_of({1, 1, 2, 2, 1, 1}, 3), .segments = tasks(20'000, 0.1)};
  job.machine.losses = {{.image = 1, .at = Seconds{60}}};

  BagResult const result = simulated(job);

  EXPECT_TRUE(result.complete);
  EXPECT_LT((result.makespan - result.ideal).value(), 4.0);
}

}  // namespace
}  // namespace makespan::sim
