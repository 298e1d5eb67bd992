// SPDX-License-Identifier: Apache-2.0
// Goal: options of a trigger that cannot be are named. Method: one made wrong at a time.
#include "makespan/graph/protocol/trigger_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "makespan/base/error.hpp"

namespace makespan::graph {
namespace {

void expect_named(TriggerOptions const& options, std::string const& what) {
  EXPECT_THAT([&] { check(options); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr(what)));
}

TEST(TriggerOptions, that_cannot_be_are_named) {
  EXPECT_NO_THROW(check(TriggerOptions{}));
  EXPECT_NO_THROW(check({.look_first_s = 0.0, .slowdown_max = 0.0}));
  expect_named({.every = 0}, "every 0 phases");
  expect_named({.phases = -1}, "-1 phases");
  for (double const wrong :
       {-1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    expect_named({.look_first_s = wrong}, "first look");
    expect_named({.waste_max = wrong}, "waste_max");
    expect_named({.slowdown_max = wrong}, "slowdown_max");
  }
  expect_named({.waste_max = 0.0}, "waste_max = 0");
}

}  // namespace
}  // namespace makespan::graph
