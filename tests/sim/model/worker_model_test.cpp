// SPDX-License-Identifier: Apache-2.0
// Goal: devices have the workers, and chunks the pace, that their mode gives them. Method: small
// machines, and times by hand.
#include "makespan/sim/model/worker_model.hpp"

#include <gtest/gtest.h>

namespace makespan::sim {
namespace {

using bag::Mode;

MachineModel machine_of(Mode mode) {
  DeviceModel const cpu{
      .kind = "cpu", .threads = 4, .speed = Speed{8.0}, .together = Speed{6.0}, .mode = mode};
  return {.images = {{.node = 0, .devices = {cpu}}, {.node = 1, .devices = {cpu, cpu}}}};
}

// Ten tasks of one item that costs 12, 11, …, 3.
bag::Bag ten_tasks() {
  std::vector<bag::Segment> segments;
  for (int task = 0; task < 10; ++task) segments.push_back({TaskId{task}, 1, Work{12.0 - task}});
  return bag::Bag(segments);
}

double seconds_of(Mode mode, bag::ItemRange items) {
  MachineModel const machine = machine_of(mode);
  bag::Bag const bag = ten_tasks();
  TrueCosts const costs(bag);
  Pace const pace = pace_of(workers_of(machine).front(), costs, items, 1.0);
  return costs.work_of(items) / pace.speed / Seconds{1.0};
}

TEST(WorkerModel, is_each_thread_or_the_whole_device) {
  MachineModel const apart = machine_of(Mode::automatic);
  auto const threads = workers_of(apart);
  ASSERT_EQ(threads.size(), 12U);
  EXPECT_EQ(threads[3].image, 0);
  EXPECT_EQ(threads[4].image, 1);
  EXPECT_EQ(threads[11].device, 2);
  EXPECT_EQ(threads[0].speed(), Speed{2.0});

  MachineModel const as_one = machine_of(Mode::mt);
  auto const devices = workers_of(as_one);
  ASSERT_EQ(devices.size(), 3U);
  EXPECT_EQ(devices[2].image, 1);
  EXPECT_EQ(devices[0].speed(), Speed{6.0});
}

TEST(WorkerModel, lays_tasks_on_threads_as_its_mode_says) {
  // 50 of work: by one thread of 2; by all together at 6; in windows of four, the dearest of each
  // on a thread of 2, and the fifth task on all.
  EXPECT_DOUBLE_EQ(seconds_of(Mode::automatic, {0, 5}), 25.0);
  EXPECT_DOUBLE_EQ(seconds_of(Mode::mt, {0, 5}), 50.0 / 6.0);
  EXPECT_DOUBLE_EQ(seconds_of(Mode::mth, {0, 5}), 12.0 / 2.0 + 8.0 / 6.0);
  EXPECT_DOUBLE_EQ(seconds_of(Mode::mth, {0, 8}), 12.0 / 2.0 + 8.0 / 2.0);
}

TEST(WorkerModel, pays_a_launch_for_each_piece) {
  MachineModel machine = machine_of(Mode::mt);
  DeviceModel& gpu = machine.images[0].devices[0];
  gpu.launch = Seconds{0.1};
  gpu.piece = Seconds{1.0};
  bag::Bag const bag({{TaskId{0}, 1000, Work{0.6}}});
  TrueCosts const costs(bag);

  Pace const pace = pace_of(workers_of(machine).front(), costs, {0, 100}, 1.0);

  // Ten pieces of a second, and as many launches.
  EXPECT_NEAR((pace.start + costs.work_of({0, 100}) / pace.speed).value(), 11.0, 1e-12);
  // A single item is one.
  Pace const one = pace_of(workers_of(machine).front(), costs, {0, 1}, 1.0);
  EXPECT_NEAR((one.start + Work{0.6} / one.speed).value(), 0.2, 1e-12);
  Pace const slow = pace_of(workers_of(machine).front(), costs, {0, 100}, 0.5);
  EXPECT_DOUBLE_EQ(slow.speed / pace.speed, 0.5);
  EXPECT_EQ(slow.start, pace.start * 2.0) << "all of it takes longer";
}

TEST(WorkerModel, pays_the_start_of_a_chunk_once) {
  MachineModel machine = machine_of(Mode::automatic);
  DeviceModel& device = machine.images[0].devices[0];
  device.claim = Seconds{0.25};
  device.piece = Seconds{1.0};
  bag::Bag const bag({{TaskId{0}, 1000, Work{2.0}}});
  TrueCosts const costs(bag);

  Pace const pace = pace_of(workers_of(machine).front(), costs, {0, 100}, 1.0);

  EXPECT_EQ(pace.start, Seconds{0.25});
  EXPECT_NEAR((costs.work_of({0, 100}) / pace.speed).value(), 100.0, 1e-9);
}

TEST(WorkerModel, is_as_fast_as_it_is_in_its_better_way) {
  MachineModel machine = machine_of(Mode::mth);
  machine.images[0].devices[0].together = Speed{10.0};
  EXPECT_EQ(workers_of(machine).front().speed(), Speed{10.0});
  machine.images[0].devices[0].together = Speed{6.0};
  EXPECT_EQ(workers_of(machine).front().speed(), Speed{8.0});
}

}  // namespace
}  // namespace makespan::sim
