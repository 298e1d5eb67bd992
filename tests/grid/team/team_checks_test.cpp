// SPDX-License-Identifier: Apache-2.0
// Goal: a command whose numbers fit no team is refused by name. Method: one thing wrong at a time,
// as far out as numbers go.
#include "makespan/grid/team/detail/team_checks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "makespan/base/error.hpp"

namespace makespan::grid {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr int most = std::numeric_limits<int>::max();

TEST(TeamChecks, let_pass_devices_and_what_each_of_them_has) {
  EXPECT_NO_THROW(check_options({.devices = 2, .gpus = 1}, 3, 2));
  EXPECT_NO_THROW(check_options({.devices = 2, .speeds = {1, 2}}, 2, 2));
  EXPECT_NO_THROW(check_options({.devices = 2, .point_times = {1, 2, 3, 4}}, 2, 2));
}

TEST(TeamChecks, name_devices_that_no_thread_drives) {
  for (TeamOptions const& options :
       {TeamOptions{.devices = most, .gpus = 1}, TeamOptions{.devices = most, .gpus = most},
        TeamOptions{.devices = -most - 1}, TeamOptions{.devices = 1, .gpus = -1},
        TeamOptions{.devices = 0}, TeamOptions{.devices = 3}}) {
    EXPECT_THAT([&] { check_options(options, 2, 2); },
                ThrowsMessage<InputError>(HasSubstr("give 1 to 2")));
  }
}

TEST(TeamChecks, name_values_that_are_not_of_each_device) {
  EXPECT_THAT([] { check_options({.devices = 2, .speeds = {1, 2, 3}}, 2, 2); },
              ThrowsMessage<InputError>(HasSubstr("3 speeds")));
  EXPECT_THAT([] { check_options({.devices = 2, .point_times = {1}}, 2, 2); },
              ThrowsMessage<InputError>(HasSubstr("1 point_times")));
}

TEST(TeamChecks, name_steps_that_are_not_counted) {
  constexpr std::int64_t far = std::numeric_limits<std::int64_t>::max();
  EXPECT_NO_THROW(check_steps({.verb = Verb::run, .number = std::int64_t{1} << 53}));
  for (std::int64_t const steps : {std::int64_t{-1}, (std::int64_t{1} << 53) + 1, far, -far}) {
    EXPECT_THAT([&] { check_steps({.verb = Verb::run, .number = steps}); },
                ThrowsMessage<InputError>(HasSubstr("0 to 2^53")));
    EXPECT_THAT([&] { check_steps({.verb = Verb::run, .number = 1, .later = steps}); },
                ThrowsMessage<InputError>(HasSubstr("steps later")));
  }
}

}  // namespace
}  // namespace makespan::grid
