// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/cut/restack.hpp"

#include <cstddef>
#include <span>

namespace makespan::grid {

namespace {

SlabDevice const& device_of(ImageDevices const& measured, DeviceName const& name) {
  return measured[static_cast<std::size_t>(name.image)][static_cast<std::size_t>(name.device)];
}

}  // namespace

std::optional<std::vector<std::int64_t>> better_planes(DeviceStack const& stack,
                                                       ImageDevices const& measured,
                                                       HostLayers layers, std::int64_t steps_left,
                                                       RebalanceCosts const& costs,
                                                       RebalanceOptions const& options) {
  if (layers.share == HostShare::device) {
    std::vector<SlabDevice> devices;
    devices.reserve(stack.devices.size());
    for (DeviceName const& name : stack.devices) devices.push_back(device_of(measured, name));
    return better_cut(stack.planes, devices, steps_left, costs, options);
  }
  int const image = stack.devices.front().image;
  std::vector<SlabDevice> const& devices = measured[static_cast<std::size_t>(image)];
  std::int64_t const count = host_layers(layers.share, std::ssize(devices));
  // A host beside its devices has as much as costs nothing, by what was measured of all of them.
  if (count > 0) {
    layers.thickness =
        free_thickness(stack.box.extent().z, devices.front(), std::span(devices).subspan(1), count);
  }
  DeviceStack const best = stack_beside_host(stack.box, image, devices, layers);
  CutChange const change{.now = longest_step(stack, devices),
                         .then = longest_step(best, devices),
                         .planes = planes_moved(stack.planes, best.planes)};
  if (!is_worth_it(change, steps_left, costs, options)) return std::nullopt;
  return best.planes;
}

Seconds plane_time(Box const& domain, std::int64_t fields) {
  constexpr double bytes_per_second = 1e9;
  Point const size = domain.extent();
  auto const values = static_cast<double>(size.x * size.y * fields);
  return Seconds{values * sizeof(double) / bytes_per_second};
}

}  // namespace makespan::grid
