// SPDX-License-Identifier: Apache-2.0
#include "makespan/sim/model/ideal_time.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace makespan::sim {
namespace {

using namespace makespan::bag;

// Two images, with a device of speed 1 each.
MachineModel two_devices() {
  MachineModel machine;
  for (int image = 0; image < 2; ++image) {
    machine.images.push_back({.node = image, .devices = {{.kind = "cpu", .speed = Speed{1.0}}}});
  }
  return machine;
}

double ideal_of(MachineModel const& machine) {
  return ideal_time(machine, Work{100.0}).value();
}

TEST(IdealTime, is_all_work_over_all_speeds) {
  EXPECT_DOUBLE_EQ(ideal_of(two_devices()), 50.0);
}

TEST(IdealTime, follows_changes_of_speed) {
  MachineModel machine = two_devices();
  machine.changes = {{.device = 1, .at = Seconds{20}, .factor = 0.5},
                     {.device = 1, .at = Seconds{40}, .factor = 2.0}};
  // 40 until 20, 30 until 40, 30 at a speed of 3.
  EXPECT_DOUBLE_EQ(ideal_of(machine), 50.0);
}

TEST(IdealTime, has_a_failed_device_stay_away) {
  MachineModel machine = two_devices();
  machine.changes = {{.device = 1, .at = Seconds{10}, .factor = 0.0},
                     {.device = 1, .at = Seconds{20}, .factor = 1.0}};
  EXPECT_DOUBLE_EQ(ideal_of(machine), 90.0);
}

TEST(IdealTime, has_devices_of_a_lost_image_stay_away) {
  MachineModel machine = two_devices();
  machine.changes = {{.device = 1, .at = Seconds{20}, .factor = 1.0}};
  machine.losses = {{.image = 1, .at = Seconds{10}}};
  EXPECT_DOUBLE_EQ(ideal_of(machine), 90.0);
}

TEST(IdealTime, is_infinite_where_no_device_is_left) {
  MachineModel machine = two_devices();
  machine.changes = {{.device = 0, .at = Seconds{5}, .factor = 0.0},
                     {.device = 1, .at = Seconds{6}, .factor = 0.0}};
  EXPECT_TRUE(std::isinf(ideal_of(machine)));
}

TEST(IdealTime, of_a_device_that_is_faster_together_is_of_that) {
  MachineModel machine = two_devices();
  for (ImageModel& image : machine.images) {
    image.devices[0].threads = 4;
    image.devices[0].mode = Mode::mth;
    image.devices[0].together = Speed{4.0};
  }
  EXPECT_DOUBLE_EQ(ideal_of(machine), 12.5);
}

}  // namespace
}  // namespace makespan::sim
