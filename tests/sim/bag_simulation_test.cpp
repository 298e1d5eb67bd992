// SPDX-License-Identifier: Apache-2.0
// Goal: a simulated bag ends when arithmetic says it does, on one image and on several, by every
// dispatcher and policy, and is the same every time. Method: machines of which the end is known.
#include "makespan/sim/bag_simulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "apart.hpp"
#include "makespan/bag/policy/policy_registry.hpp"

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

TEST(BagSimulation, survives_the_loss_of_an_image) {
  BagJob job{.machine = machine_of({1, 1, 2, 2, 1, 1}, 3), .segments = tasks(20'000, 0.1)};
  job.machine.losses = {{.image = 1, .at = Seconds{60}}};

  BagResult const result = simulated(job);

  EXPECT_TRUE(result.complete);
  EXPECT_LT((result.makespan - result.ideal).value(), 4.0);
}

}  // namespace
}  // namespace makespan::sim
