// SPDX-License-Identifier: Apache-2.0
// Goal: threads, devices and workers are numbered as promised. Method: a team of three devices by
// hand. Wrong options are in device_team_test.cpp.
#include "makespan/bag/team_layout.hpp"

#include <gtest/gtest.h>

#include "makespan/machine/affinity.hpp"

namespace makespan::bag {
namespace {

TEST(TeamLayout, numbers_threads_through_all_devices) {
  TeamLayout const layout({{.threads = 2, .mode = Mode::automatic},
                           {.threads = 3, .mode = Mode::mt},
                           {.threads = 1, .mode = Mode::mo}});

  EXPECT_EQ(layout.threads(), 6);
  EXPECT_EQ(layout.devices(), 3);
  EXPECT_EQ(layout.threads_of(1), 3);
  // Two threads for themselves, a device as one, and one thread.
  EXPECT_EQ(layout.workers(), 4);
  EXPECT_EQ(layout.modes(),
            (std::vector<Mode>{Mode::automatic, Mode::automatic, Mode::mt, Mode::mo}));
  std::vector<int> devices;
  std::vector<int> workers;
  std::vector<bool> claims;
  for (int thread = 0; thread < layout.threads(); ++thread) {
    devices.push_back(layout.role(thread).device);
    workers.push_back(layout.role(thread).worker);
    claims.push_back(layout.role(thread).claims);
    EXPECT_FALSE(layout.role(thread).core);
  }
  EXPECT_EQ(devices, (std::vector<int>{0, 0, 1, 1, 1, 2}));
  EXPECT_EQ(workers, (std::vector<int>{0, 1, 2, 2, 2, 3}));
  EXPECT_EQ(claims, (std::vector<bool>{true, true, true, false, false, true}));
}

TEST(TeamLayout, gives_threads_the_cores_of_their_device_in_turn) {
  int const core = machine::allowed_cores().front();
  TeamLayout const layout({{.threads = 2, .cores = {core}}, {.cores = {core}}});

  ASSERT_EQ(layout.threads(), 3);
  for (int thread = 0; thread < 3; ++thread) EXPECT_EQ(layout.role(thread).core, core);
}

TEST(TeamLayout, takes_a_thread_for_each_core_where_none_is_said) {
  TeamLayout const layout({TeamDevice{}});

  EXPECT_EQ(layout.threads(), static_cast<int>(machine::allowed_cores().size()));
}

}  // namespace
}  // namespace makespan::bag
