// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/kneighbor/settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "makespan/base/error.hpp"

namespace makespan::kneighbor {
namespace {

TEST(KneighborSettings, The_defaults_are_the_published_sizes) {
  Settings const settings;

  check_settings(settings);
  EXPECT_EQ(messages_of(settings), 2LL * 7 * 400 * 100 * 50);
}

TEST(KneighborSettings, Invalid_values_are_refused) {
  EXPECT_THROW(check_settings({.objects = 1}), InputError);
  EXPECT_THROW(check_settings({.objects = 7, .neighbours = 7}), InputError);
  EXPECT_THROW(check_settings({.neighbours = 0}), InputError);
  EXPECT_THROW(check_settings({.bytes = 12}), InputError);
  EXPECT_THROW(check_settings({.bytes = -8}), InputError);
  EXPECT_THROW(check_settings({.steps = 0}), InputError);
  EXPECT_THROW(check_settings({.steps = 10, .steps_per_phase = 4}), InputError);
  EXPECT_THROW(check_settings({.iterations = 0}), InputError);
  EXPECT_THROW(check_settings({.work_turns = -1}), InputError);
}

TEST(KneighborSettings, Neighbours_are_around_the_object) {
  auto const around = [](Settings const& settings, int index) {
    std::vector<int> all;
    for (int number = 0; number < settings.neighbours; ++number) {
      all.push_back(neighbour(settings, index, number));
    }
    return all;
  };

  EXPECT_THAT(around({.objects = 20, .neighbours = 7}, 10),
              testing::ElementsAre(7, 8, 9, 11, 12, 13, 14));
  EXPECT_THAT(around({.objects = 20, .neighbours = 2}, 0), testing::ElementsAre(19, 1));
  EXPECT_THAT(around({.objects = 20, .neighbours = 1}, 19), testing::ElementsAre(0));
  EXPECT_THAT(around({.objects = 3, .neighbours = 2}, 1), testing::ElementsAre(0, 2));
}

TEST(KneighborSettings, Work_has_its_mean_and_its_law) {
  for (WorkLaw const law : {WorkLaw::uniform, WorkLaw::ramp, WorkLaw::quadratic}) {
    Settings const settings{.law = law, .work_turns = 100'000};
    double sum = 0.0;
    for (int index = 0; index < settings.objects; ++index) {
      sum += static_cast<double>(WorkTurns(settings).of(index));
    }
    EXPECT_NEAR(sum / settings.objects, 100'000.0, 1.0);
  }
  // Charm++'s law: the heaviest of 400 has five times the mean.
  EXPECT_NEAR(
      static_cast<double>(WorkTurns({.law = WorkLaw::quadratic, .work_turns = 1'000'000}).of(399)),
      5.0e6, 0.1e6);
  EXPECT_EQ(WorkTurns({.objects = 2, .neighbours = 1, .law = WorkLaw::quadratic}).of(1), 0);
}

}  // namespace
}  // namespace makespan::kneighbor
