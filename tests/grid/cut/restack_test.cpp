// SPDX-License-Identifier: Apache-2.0
// Goal: a stack gets the planes that its devices' speeds ask for, and a host layers that cost
// nothing. Method: by hand.
#include "makespan/grid/cut/restack.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace makespan::grid {
namespace {

using testing::ElementsAre;
using testing::Optional;

constexpr RebalanceCosts almost_free{.plane = Seconds{1e-6}, .fixed = Seconds{1e-6}};

SlabDevice at_speed(double speed) {
  return {.speed = Speed{speed}};
}

TEST(BetterStack, of_a_stack_through_images_follow_the_speeds_of_its_devices) {
  DeviceStack const stack{
      .box = {{}, {8, 8, 60}}, .devices = {{0, 0}, {1, 0}, {1, 1}}, .planes = {20, 20, 20}};
  ImageDevices const measured{{at_speed(300)}, {at_speed(200), at_speed(100)}};

  EXPECT_THAT(better_stack(stack, {.measured = measured, .steps_left = 1000}, almost_free),
              Optional(testing::Field(&DeviceStack::planes, ElementsAre(30, 20, 10))));
  // Nothing is gained in the last step.
  EXPECT_EQ(better_stack(stack, {.measured = measured, .steps_left = 0}, almost_free),
            std::nullopt);
}

TEST(BetterStack, of_a_host_beside_its_devices_are_as_many_as_cost_nothing) {
  DeviceStack const stack{
      .box = {{}, {8, 8, 100}}, .devices = {{1, 0}, {1, 1}, {1, 0}}, .planes = {2, 96, 2}};
  // A fifth of all speed, in two layers of ten.
  ImageDevices const measured{{at_speed(1)}, {at_speed(100), at_speed(400)}};

  CutQuestion question{.measured = measured,
                       .layers = {.share = HostShare::front_back, .thickness = 2, .is_free = true},
                       .steps_left = 1000};
  EXPECT_THAT(better_stack(stack, question, almost_free),
              Optional(testing::Field(&DeviceStack::planes, ElementsAre(10, 80, 10))));
  // As much as was said.
  question.layers.is_free = false;
  EXPECT_EQ(better_stack(stack, question, almost_free), std::nullopt);
}

TEST(PlaneTime, is_that_of_its_bytes) {
  // 100 x 50 points of two fields at 1 GB/s.
  EXPECT_DOUBLE_EQ(plane_time({{}, {100, 50, 7}}, 2).value(), 80e-6);
}

}  // namespace
}  // namespace makespan::grid
