// SPDX-License-Identifier: Apache-2.0
// Goal: an invalid machine is refused, and the error names the place. Method: one thing wrong at a
// time.
#include "makespan/sim/model/machine_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "makespan/base/error.hpp"

namespace makespan::sim {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

MachineModel two_nodes() {
  DeviceModel const cpu{.kind = "cpu", .threads = 2, .speed = Speed{1.0}};
  return {.images = {{.node = 0, .devices = {cpu}}, {.node = 1, .devices = {cpu, cpu}}}};
}

std::function<void()> checking(std::function<void(MachineModel&)> const& change) {
  return [change] {
    MachineModel machine = two_nodes();
    change(machine);
    check(machine);
  };
}

TEST(MachineModel, counts_nodes_and_devices) {
  EXPECT_EQ(two_nodes().nodes(), 2);
  EXPECT_EQ(two_nodes().devices(), 3);
  EXPECT_NO_THROW(checking([](MachineModel&) {})());
}

TEST(MachineModel, is_refused_with_the_place_that_is_wrong) {
  std::vector<std::pair<std::function<void(MachineModel&)>, std::string>> const table{
      {[](MachineModel& m) { m.images.clear(); }, "a machine without images"},
      {[](MachineModel& m) { m.images[1].devices.clear(); }, "image 1 without devices"},
      {[](MachineModel& m) { m.images[1].node = -1; }, "image 1: node = -1"},
      {[](MachineModel& m) { m.images[1].node = 1 << 20; }, "image 1: node = 1048576"},
      {[](MachineModel& m) { m.images[1].node = std::numeric_limits<int>::max(); },
       "image 1: node = 2147483647"},
      {[](MachineModel& m) { m.images[1].devices[1].threads = 0; },
       "image 1, device 1: threads = 0"},
      {[](MachineModel& m) { m.images[0].devices[0].speed = Speed{}; },
       "image 0, device 0: speed = 0"},
      {[](MachineModel& m) { m.images[0].devices[0].noise = -1; }, "image 0, device 0: noise = -1"},
      {[](MachineModel& m) { m.network.bandwidth = 0; }, "network: bandwidth = 0"},
      {[](MachineModel& m) { m.network.latency = Seconds{std::nan("")}; },
       "network: latency = nan"},
      {[](MachineModel& m) { m.changes = {{.device = 3}}; }, "device 3 (there are 3)"},
      {[](MachineModel& m) { m.losses = {{.image = 2}}; }, "image 2 (there are 2)"},
      {[](MachineModel& m) { m.losses = {{.image = 0}}; }, "the loss of image 0"}};
  for (auto const& [change, message] : table) {
    EXPECT_THAT(checking(change), ThrowsMessage<InputError>(HasSubstr(message)));
  }
}

}  // namespace
}  // namespace makespan::sim
