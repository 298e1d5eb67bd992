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

SlabDevice at_speed(double speed) {
  return {.speed = Speed{speed}};
}

// Moving costs next to nothing.
CutQuestion question_of(Box const& domain, ImageDevices const& measured) {
  return {.domain = domain, .measured = measured, .steps_left = 1000, .fixed = Seconds{1e-6}};
}

auto planes_are(std::vector<std::int64_t> const& planes) {
  return testing::Field(&DeviceStack::planes, planes);
}

TEST(BetterStacks, through_images_follow_the_speeds_of_their_devices) {
  DeviceStack const stack{
      .box = {{}, {8, 8, 60}}, .devices = {{0, 0}, {1, 0}, {1, 1}}, .planes = {20, 20, 20}};
  CutQuestion question = question_of(stack.box, {{at_speed(300)}, {at_speed(200), at_speed(100)}});

  EXPECT_THAT(better_stacks(std::span(&stack, 1), question),
              Optional(ElementsAre(planes_are({30, 20, 10}))));
  // Nothing is gained in the last step.
  question.steps_left = 0;
  EXPECT_EQ(better_stacks(std::span(&stack, 1), question), std::nullopt);
}

TEST(BetterStacks, of_a_host_beside_its_devices_are_as_many_as_cost_nothing) {
  DeviceStack const stack{
      .box = {{}, {8, 8, 100}}, .devices = {{1, 0}, {1, 1}, {1, 0}}, .planes = {2, 96, 2}};
  // A fifth of all speed, in two layers of ten.
  CutQuestion question = question_of(stack.box, {{at_speed(1)}, {at_speed(100), at_speed(400)}});
  question.cut = ImageCut::boxes;
  question.layers = {.share = HostShare::front_back, .thickness = 2, .is_free = true};

  EXPECT_THAT(better_stacks(std::span(&stack, 1), question),
              Optional(ElementsAre(planes_are({10, 80, 10}))));
  // As much as was said.
  question.layers.is_free = false;
  EXPECT_EQ(better_stacks(std::span(&stack, 1), question), std::nullopt);
}

TEST(BetterStacks, of_images_with_hosts_are_cut_all_at_once) {
  ImageDevices const measured{{at_speed(100), at_speed(100)}, {at_speed(100), at_speed(300)}};
  HostLayers const layers{.share = HostShare::none};
  CutQuestion question = question_of({{}, {8, 8, 40}}, measured);
  question.layers = layers;
  std::vector<DeviceStack> const even =
      stacks_of(question.domain, {{at_speed(1), at_speed(1)}, {at_speed(1), at_speed(1)}},
                ImageCut::stack, layers);

  auto const better = better_stacks(even, question);
  ASSERT_TRUE(better.has_value());
  ASSERT_EQ(better->size(), 2U);
  EXPECT_EQ((*better)[0].box.extent().z, 10);
  EXPECT_EQ((*better)[1].box.extent().z, 30);
}

TEST(PlaneTime, is_that_of_its_bytes) {
  // 100 x 50 points of two fields at 1 GB/s.
  EXPECT_DOUBLE_EQ(plane_time({{}, {100, 50, 7}}, 2).value(), 80e-6);
}

}  // namespace
}  // namespace makespan::grid
