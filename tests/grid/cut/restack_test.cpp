// SPDX-License-Identifier: Apache-2.0
// Goal: a stack gets the planes that its devices' speeds ask for, and a host layers that cost
// nothing. Method: by hand.
#include "makespan/grid/cut/restack.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>

#include "makespan/base/random_draws.hpp"

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

// Of one image.
DeviceStack stack_of(std::vector<std::int64_t> const& planes) {
  DeviceStack stack{.box = {{}, {8, 8, 0}}, .planes = planes};
  for (std::size_t at = 0; at < planes.size(); ++at) {
    stack.devices.push_back({0, static_cast<int>(at)});
    stack.box.end.z += planes[at];
  }
  return stack;
}

TEST(BetterStacks, stay_where_little_is_gained) {
  // Where speeds say, and a plane of 160 off, which is 0.6 %.
  for (auto const& planes : {std::vector<std::int64_t>{16, 48}, {161, 479}}) {
    DeviceStack const stack = stack_of(planes);
    CutQuestion question = question_of(stack.box, {{at_speed(100), at_speed(300)}});
    question.steps_left = 1'000'000;
    EXPECT_EQ(better_stacks(std::span(&stack, 1), question), std::nullopt);
  }
}

TEST(BetterStacks, stay_where_too_few_steps_are_left) {
  DeviceStack const stack = stack_of({32, 32});
  CutQuestion question = question_of(stack.box, {{at_speed(100), at_speed(300)}});
  // 0.16 s a step are saved.
  question.fixed = Seconds{16.5};
  question.steps_left = 103;
  EXPECT_EQ(better_stacks(std::span(&stack, 1), question), std::nullopt);
  question.steps_left = 104;
  EXPECT_THAT(better_stacks(std::span(&stack, 1), question),
              Optional(ElementsAre(planes_are({16, 48}))));
}

// Three devices; after 50 steps one has a quarter of its speed.
TEST(BetterStacks, are_right_within_three_of_a_change) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    RandomDraws draws(seed);
    std::vector<double> speeds{100.0, 100.0, 100.0};
    std::vector<SpeedMeter> meters(3);
    std::vector<DeviceStack> stacks{stack_of({64, 64, 64})};
    int moves = 0;
    for (int step = 0; step < 150; ++step) {
      if (step == 50) {
        speeds[1] = 25.0;
        EXPECT_EQ(moves, 0) << "for noise";
      }
      for (std::size_t at = 0; at < meters.size(); ++at) {
        double const noise = 1.0 + 0.01 * (draws.next() - 0.5);
        auto const planes = static_cast<double>(stacks[0].planes[at]);
        meters[at].tell(planes, Seconds{planes / speeds[at] * noise});
      }
      if (step % 10 != 9) continue;
      ImageDevices measured(1);
      for (SpeedMeter const& meter : meters) measured[0].push_back({.speed = *meter.speed()});
      CutQuestion question = question_of(stacks[0].box, measured);
      question.steps_left = 150 - step;
      if (auto const better = better_stacks(stacks, question)) {
        stacks = *better;
        ++moves;
      }
    }
    EXPECT_LE(moves, 3) << seed;
    // 192 planes at 225 planes a second: 85.3 for the fast ones, 21.3 for the slow one.
    EXPECT_NEAR(static_cast<double>(stacks[0].planes[0]), 85.3, 1.0) << seed;
    EXPECT_NEAR(static_cast<double>(stacks[0].planes[1]), 21.3, 1.0) << seed;
  }
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

// A host and a GPU for each of two images, that hold so many of the grid's planes.
ImageDevices beside_hosts(std::vector<SlabDevice> const& gpus) {
  ImageDevices images;
  for (SlabDevice const& gpu : gpus) images.push_back({at_speed(100), gpu});
  return images;
}

TEST(BetterStacks, of_images_with_hosts_give_none_more_than_its_devices_hold) {
  HostLayers const layers{.share = HostShare::none};
  ImageDevices const alike = beside_hosts(
      {{.speed = Speed{100}, .planes_max = 550}, {.speed = Speed{100}, .planes_max = 550}});
  ImageDevices measured = alike;
  measured[0][1].speed = Speed{125};
  CutQuestion question = question_of({{}, {8, 8, 1000}}, measured);
  question.layers = layers;
  std::vector<DeviceStack> const even = stacks_of(question.domain, alike, ImageCut::stack, layers);

  // Speeds alone say 556.
  auto const better = better_stacks(even, question);
  ASSERT_TRUE(better.has_value());
  EXPECT_EQ((*better)[0].box.extent().z, 550);
  EXPECT_EQ((*better)[1].box.extent().z, 450);
}

TEST(BetterStacks, stay_where_memories_do_not_hold_what_speeds_ask_for) {
  // Of 3 planes the host has 2; of 2 it would have none, beside a GPU that holds one.
  HostLayers const layers{.share = HostShare::front_back, .thickness = 1};
  ImageDevices const at_first =
      beside_hosts({{.speed = Speed{100}, .planes_max = 1}, {.speed = Speed{1000}}});
  ImageDevices measured = at_first;
  measured[1][1].speed = Speed{1700};
  CutQuestion question = question_of({{}, {8, 8, 36}}, measured);
  question.layers = layers;
  std::vector<DeviceStack> const stacks =
      stacks_of(question.domain, at_first, ImageCut::stack, layers);
  ASSERT_EQ(stacks[0].box.extent().z, 3);

  EXPECT_EQ(better_stacks(stacks, question), std::nullopt);
}

TEST(BetterStacks, have_free_layers_at_least_as_thick_as_memories_need) {
  DeviceStack const stack{
      .box = {{}, {8, 8, 100}}, .devices = {{0, 0}, {0, 1}, {0, 0}}, .planes = {10, 80, 10}};
  // The host has become slow: by speeds alone it would have a plane at each end.
  CutQuestion question =
      question_of(stack.box, {{at_speed(1), {.speed = Speed{40}, .planes_max = 95}}});
  question.cut = ImageCut::boxes;
  question.layers = {.share = HostShare::front_back, .thickness = 2, .is_free = true};

  EXPECT_THAT(better_stacks(std::span(&stack, 1), question),
              Optional(ElementsAre(planes_are({3, 94, 3}))));
}

TEST(PlaneTime, is_that_of_its_bytes) {
  // 100 x 50 points of two fields at 1 GB/s.
  EXPECT_DOUBLE_EQ(plane_time({{}, {100, 50, 7}}, 2).value(), 80e-6);
}

}  // namespace
}  // namespace makespan::grid
