// SPDX-License-Identifier: Apache-2.0
// Goal: dispatchers are found by name. Method: each name, and a wrong one. What each does is in
// device_team_test.cpp.
#include "makespan/bag/dispatcher.hpp"

#include <gtest/gtest.h>

#include "makespan/base/error.hpp"

namespace makespan::bag {
namespace {

TEST(Dispatchers, are_found_by_name) {
  EXPECT_EQ(dispatchers().front().dispatcher, Dispatcher::steal);
  for (DispatcherEntry const& entry : dispatchers())
    EXPECT_EQ(dispatcher_named(entry.name), entry.dispatcher);
}

TEST(Dispatchers, name_the_nearest_of_an_unknown_one) {
  try {
    static_cast<void>(dispatcher_named("steel"));
    FAIL() << "accepted";
  } catch (InputError const& error) {
    EXPECT_STREQ(error.what(),
                 "dispatcher 'steel' is unknown (known: steal, hierarchical, counter, boss, "
                 "static): did you mean "
                 "'steal'?");
  }
}

}  // namespace
}  // namespace makespan::bag
