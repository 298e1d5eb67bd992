// SPDX-License-Identifier: Apache-2.0
#include "makespan/machine/node_share.hpp"

#include <algorithm>
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

NodePlace place_among_equals(std::span<std::vector<int> const> cores, std::size_t mine) {
  MAKESPAN_EXPECT(mine < cores.size());
  auto const before = cores.first(mine);
  return {.rank = static_cast<int>(std::ranges::count(before, cores[mine])),
          .size = static_cast<int>(std::ranges::count(cores, cores[mine]))};
}

int gpus_among_equals(std::span<std::vector<int> const> cores, std::span<int const> gpus,
                      std::size_t mine) {
  MAKESPAN_EXPECT(mine < cores.size() && gpus.size() == cores.size());
  int sum = 0;
  for (std::size_t image = 0; image < cores.size(); ++image) {
    if (cores[image] == cores[mine]) sum += gpus[image];
  }
  return sum;
}

std::vector<DeviceSpec> share_of_node(std::vector<DeviceSpec> devices, NodePlace place,
                                      SharedCores const& cores) {
  MAKESPAN_EXPECT(place.rank >= 0 && place.rank < place.size && !devices.empty());
  bool const is_whole_cpu = devices.size() == 1 && devices.front().kind == DeviceKind::cpu &&
                            devices.front().cores.empty();
  if (is_whole_cpu) {
    if (cores.place.size > 1) devices.front().cores = part_of(cores.numbers, cores.place);
    return devices;
  }
  if (place.size == 1) return devices;
  if (static_cast<int>(devices.size()) >= place.size) return part_of(devices, place);
  DeviceSpec& device = devices.front();
  if (devices.size() > 1 || device.kind != DeviceKind::cpu) {
    throw InputError("devices: " + std::to_string(devices.size()) + " for the " +
                         std::to_string(place.size) + " images of a node",
                     "each image needs one, and only a CPU alone can be divided",
                     "name as many devices as images, or start fewer images");
  }
  device.cores = part_of(device.cores, place);
  return devices;
}

}  // namespace makespan::machine
