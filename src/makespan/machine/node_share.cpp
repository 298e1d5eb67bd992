// SPDX-License-Identifier: Apache-2.0
#include "makespan/machine/node_share.hpp"

#include <cstddef>
#include <string>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"

namespace makespan::machine {

namespace {

// The rank-th of `size` parts of `all`, as equal as can be; one element that others have too when
// there are fewer than parts.
template <class T>
std::vector<T> part_of(std::vector<T> const& all, NodePlace place) {
  auto const count = all.size();
  auto const rank = static_cast<std::size_t>(place.rank);
  auto const size = static_cast<std::size_t>(place.size);
  if (count < size) return {all[rank % count]};
  auto const begin = all.begin() + static_cast<std::ptrdiff_t>(rank * count / size);
  auto const end = all.begin() + static_cast<std::ptrdiff_t>((rank + 1) * count / size);
  return {begin, end};
}

}  // namespace

std::vector<DeviceSpec> share_of_node(std::vector<DeviceSpec> devices, NodePlace place,
                                      std::vector<int> const& cores, int node_cores) {
  MAKESPAN_EXPECT(place.rank >= 0 && place.rank < place.size && !devices.empty());
  if (place.size == 1) return devices;
  if (static_cast<int>(devices.size()) >= place.size) return part_of(devices, place);
  DeviceSpec& device = devices.front();
  if (devices.size() > 1 || device.kind != DeviceKind::cpu) {
    throw InputError("devices: " + std::to_string(devices.size()) + " for the " +
                         std::to_string(place.size) + " images of a node",
                     "each image needs one, and only a CPU alone can be divided",
                     "name as many devices as images, or start fewer images");
  }
  bool const has_own_cores = std::ssize(cores) < node_cores;
  // The launcher has divided the node already: a part of a part would leave cores idle.
  if (device.cores.empty() && has_own_cores) return devices;
  device.cores = part_of(device.cores.empty() ? cores : device.cores, place);
  return devices;
}

}  // namespace makespan::machine
