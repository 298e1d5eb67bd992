// SPDX-License-Identifier: Apache-2.0
#include "makespan/sim/model/machine_model.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "makespan/base/error.hpp"
#include "makespan/base/number_text.hpp"

namespace makespan::sim {

namespace {

// Each number below the greatest is a host to SimGrid, too. As many as grids have (grids/).
constexpr int nodes_max = 1 << 20;

void expect_number(std::string const& what, double value, bool above_zero) {
  if (std::isfinite(value) && (above_zero ? value > 0 : value >= 0)) return;
  throw InputError(
      what + " = " + short_text(value),
      above_zero ? "it is a finite number above 0" : "it is a finite number, 0 or above",
      "give one");
}

void check(std::string const& place, DeviceModel const& device) {
  if (device.threads < 1) {
    throw InputError(place + "threads = " + std::to_string(device.threads),
                     "a device has one at least", "give a count");
  }
  expect_number(place + "speed", device.speed.value(), true);
  expect_number(place + "together", device.together.value(), false);
  expect_number(place + "claim", device.claim.value(), false);
  expect_number(place + "launch", device.launch.value(), false);
  expect_number(place + "piece", device.piece.value(), true);
  expect_number(place + "noise", device.noise, false);
}

void check(FabricModel const& network) {
  expect_number("network: latency", network.latency.value(), false);
  expect_number("network: node_latency", network.node_latency.value(), false);
  expect_number("network: bandwidth", network.bandwidth, true);
  expect_number("network: atomic", network.atomic.value(), false);
  expect_number("network: message", network.message.value(), false);
}

void expect_index(std::string const& what, int index, int count) {
  if (index >= 0 && index < count) return;
  throw InputError(what + " " + std::to_string(index), "there are " + std::to_string(count),
                   "count them from 0");
}

}  // namespace

int MachineModel::nodes() const {
  int last = -1;
  for (ImageModel const& image : images) last = std::max(last, image.node);
  return last + 1;
}

int MachineModel::devices() const {
  int count = 0;
  for (ImageModel const& image : images) count += static_cast<int>(image.devices.size());
  return count;
}

void check(MachineModel const& machine) {
  if (machine.images.empty()) {
    throw InputError("a machine without images", "no thread would run items", "give it one");
  }
  for (std::size_t image = 0; image < machine.images.size(); ++image) {
    ImageModel const& model = machine.images[image];
    std::string const place = "image " + std::to_string(image);
    if (model.node < 0 || model.node >= nodes_max) {
      throw InputError(place + ": node = " + std::to_string(model.node), "nodes count from 0",
                       "give one below " + std::to_string(nodes_max));
    }
    if (model.devices.empty()) {
      throw InputError(place + " without devices", "it would run nothing", "give it one");
    }
    for (std::size_t device = 0; device < model.devices.size(); ++device) {
      check(place + ", device " + std::to_string(device) + ": ", model.devices[device]);
    }
  }
  check(machine.network);
  for (SpeedChange const& change : machine.changes) {
    expect_index("a change of device", change.device, machine.devices());
    expect_number("a change's at", change.at.value(), false);
    expect_number("a change's factor", change.factor, false);
  }
  for (ImageLoss const& loss : machine.losses) {
    expect_index("the loss of image", loss.image, static_cast<int>(machine.images.size()));
    expect_number("a loss's at", loss.at.value(), false);
    if (loss.image == 0) {
      throw InputError("the loss of image 0", "the bag is lost with it", "lose another one");
    }
  }
  expect_number("losses_noticed_after", machine.losses_noticed_after.value(), false);
}

}  // namespace makespan::sim
