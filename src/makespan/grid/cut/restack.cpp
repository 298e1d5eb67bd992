// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/cut/restack.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "makespan/grid/cut/host_layers.hpp"
#include "makespan/grid/cut/slab_cut.hpp"

namespace makespan::grid {

namespace {

// The devices of a stack without a host beside it, which may be of several images, in its order.
std::vector<SlabDevice> devices_of(DeviceStack const& stack, ImageDevices const& measured) {
  std::vector<SlabDevice> devices;
  devices.reserve(stack.devices.size());
  for (DeviceName const& name : stack.devices) {
    devices.push_back(measured[static_cast<std::size_t>(name.image)]
                              [static_cast<std::size_t>(name.device)]);
  }
  return devices;
}

Seconds longest_of(DeviceStack const& stack, std::vector<SlabDevice> const& devices,
                   PlaneWeights const& weights) {
  Seconds longest{0.0};
  std::int64_t at = stack.box.begin.z;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    std::int64_t const end = at + stack.planes[i];
    longest = std::max(longest, work_time(devices[i], weights.between(at, end)));
    at = end;
  }
  return longest;
}

}  // namespace

std::optional<DeviceStack> better_stack(DeviceStack const& stack, ImageDevices const& measured,
                                        HostLayers const& layers, PlaneWeights const& weights,
                                        std::int64_t steps_left, RebalanceCosts const& costs,
                                        RebalanceOptions const& options) {
  DeviceStack best = stack;
  CutChange change{};
  if (layers.share == HostShare::device) {
    std::vector<SlabDevice> const devices = devices_of(stack, measured);
    best.planes = planes_by_weight(stack.box.begin.z, stack.box.extent().z, devices, weights);
    change.now = longest_of(stack, devices, weights);
    change.then = longest_of(best, devices, weights);
  } else {
    int const image = stack.devices.front().image;
    std::vector<SlabDevice> const& devices = measured[static_cast<std::size_t>(image)];
    HostLayers const thick =
        layers.is_free ? free_layers(stack.box, image, devices, layers, weights) : layers;
    best = stack_beside_host(stack.box, image, devices, thick, weights);
    change.now = longest_step(stack, devices, weights);
    change.then = longest_step(best, devices, weights);
  }
  Point const size = stack.box.extent();
  change.planes = points_moved(stack, best) / (size.x * size.y);
  if (!is_worth_it(change, steps_left, costs, options)) return std::nullopt;
  return best;
}

Seconds plane_time(Box const& box, std::int64_t fields) {
  constexpr double bytes_per_second = 1e9;
  Point const size = box.extent();
  auto const values = static_cast<double>(size.x * size.y * fields);
  return Seconds{values * sizeof(double) / bytes_per_second};
}

}  // namespace makespan::grid
