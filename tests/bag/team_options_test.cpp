// SPDX-License-Identifier: Apache-2.0
// Goal: a dispatcher that decides policy or mode does so, others leave them, and a wrong policy is
// refused by all. Method: each dispatcher with options that it must, and must not, change.
#include "makespan/bag/team_options.hpp"

#include <gtest/gtest.h>

#include "makespan/base/error.hpp"

namespace makespan::bag {
namespace {

TeamOptions of(Dispatcher dispatcher) {
  return with_choices_of_dispatcher({.devices = {{.mode = Mode::mt}},
                                     .policy = "guided",
                                     .policy_options = {{"chunk_items_min", 3}},
                                     .dispatcher = dispatcher});
}

TEST(TeamOptions, of_a_boss_are_whole_tasks_one_by_one) {
  TeamOptions const options = of(Dispatcher::boss);

  EXPECT_EQ(options.policy, "self");
  EXPECT_TRUE(options.policy_options.empty());
  EXPECT_EQ(options.devices.front().mode, Mode::mo);
}

TEST(TeamOptions, of_static_are_shares) {
  TeamOptions const options = of(Dispatcher::fixed);

  EXPECT_EQ(options.policy, "static");
  EXPECT_TRUE(options.policy_options.empty());
  EXPECT_EQ(options.devices.front().mode, Mode::mt);
}

TEST(TeamOptions, of_the_others_are_what_was_said) {
  for (Dispatcher const dispatcher :
       {Dispatcher::steal, Dispatcher::hierarchical, Dispatcher::counter}) {
    TeamOptions const options = of(dispatcher);
    EXPECT_EQ(options.policy, "guided");
    EXPECT_EQ(options.policy_options.size(), 1U);
    EXPECT_EQ(options.devices.front().mode, Mode::mt);
  }
}

TEST(TeamOptions, with_an_invalid_policy_are_refused) {
  for (DispatcherEntry const& entry : dispatchers()) {
    EXPECT_THROW(static_cast<void>(with_choices_of_dispatcher(
                     {.policy = "nosuch", .dispatcher = entry.dispatcher})),
                 InputError);
  }
}

}  // namespace
}  // namespace makespan::bag
