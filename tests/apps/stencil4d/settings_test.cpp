// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/stencil4d/settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "makespan/base/error.hpp"

namespace makespan::stencil4d {
namespace {

TEST(Stencil4dSettings, The_defaults_are_the_published_sizes) {
  Settings const settings;

  check_settings(settings);
  EXPECT_EQ(settings.blocks(), 256);
}

TEST(Stencil4dSettings, Invalid_values_are_refused) {
  EXPECT_THROW(check_settings({.points = 30, .side = 8}), InputError);
  EXPECT_THROW(check_settings({.points = 0, .side = 8}), InputError);
  EXPECT_THROW(check_settings({.side = 0}), InputError);
  EXPECT_THROW(check_settings({.points = 256, .side = 256}), InputError);
  EXPECT_THROW(check_settings({.points = 130, .side = 2}), InputError);
  EXPECT_THROW(check_settings({.steps = 0}), InputError);
  EXPECT_THROW(check_settings({.steps = 10, .steps_per_phase = 3}), InputError);
  EXPECT_THROW(check_settings({.work_max = 0}), InputError);
  EXPECT_THROW(check_settings({.mode = {128, 0, 0, 0}}), InputError);
  EXPECT_THROW(check_settings({.mode = {-1, 0, 0, 0}}), InputError);
}

TEST(Stencil4dSettings, Work_is_one_to_the_most_and_repeats) {
  Settings const settings;

  std::set<int> seen;
  for (int index = 0; index < settings.blocks(); ++index) {
    seen.insert(work_of(settings, index));
    EXPECT_EQ(work_of(settings, index), work_of(settings, index));
  }

  EXPECT_THAT(seen, testing::ElementsAre(1, 2, 3, 4, 5));
}

TEST(Stencil4dSettings, Coordinates_and_indices_are_each_others_inverse) {
  for (int index = 0; index < 3 * 3 * 3 * 3; ++index) {
    EXPECT_EQ(index_of(coordinates_of(index, 3), 3), index);
  }
  EXPECT_EQ(coordinates_of(1, 3), (Point{0, 0, 0, 1}));
}

TEST(Stencil4dSettings, Decay_is_one_for_constants_and_less_for_waves) {
  EXPECT_EQ(decay({.initial = Initial::constant}), 1.0);
  EXPECT_NEAR(decay({.mode = {0, 0, 0, 0}}), 1.0, 1e-15);
  EXPECT_NEAR(decay({.points = 4, .side = 4, .mode = {1, 0, 0, 0}}), 7.0 / 9.0, 1e-15);
  EXPECT_NEAR(decay({.points = 4, .side = 4, .mode = {2, 2, 2, 2}}), -7.0 / 9.0, 1e-15);
}

}  // namespace
}  // namespace makespan::stencil4d
