// SPDX-License-Identifier: Apache-2.0
// Goal: an even share for each worker. Method: pure calls.
#include "makespan/bag/policy/static_scheduling.hpp"

#include <gtest/gtest.h>

#include "drain.hpp"
#include "makespan/base/error.hpp"

namespace makespan::bag {
namespace {

TEST(StaticScheduling, gives_each_worker_its_even_share) {
  StaticSchedulingPolicy policy{OptionValues{}};

  EXPECT_EQ((Drain{.items = 1000, .speeds = {1, 1, 1, 1}}.chunks(policy)), unrolled({{250, 4}}));
  EXPECT_EQ((Drain{.items = 10, .speeds = {1, 1, 1, 1}}.chunks(policy)), unrolled({{3, 3}, {1}}));
  EXPECT_EQ((Drain{.items = 2, .speeds = {1, 1, 1, 1}}.chunks(policy)), unrolled({{1, 2}}));
}

TEST(StaticScheduling, has_no_options) {
  EXPECT_THROW(StaticSchedulingPolicy{OptionValues({{"chunk_items", 1.0}})}, InputError);
}

}  // namespace
}  // namespace makespan::bag
