// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/cut/host_layers.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>

#include "makespan/base/error.hpp"

namespace makespan::grid {

namespace {

void add(DeviceStack& stack, DeviceName const& device, std::int64_t planes) {
  stack.devices.push_back(device);
  stack.planes.push_back(planes);
}

// A point at least is left between two layers.
std::int64_t most_along(std::int64_t extent) {
  return std::max<std::int64_t>(0, (extent - 1) / 2);
}

// Of a plane, what is the other devices'.
double core_share(Box const& part, std::int64_t host_y, std::int64_t host_x) {
  Point const size = part.extent();
  auto const left = static_cast<double>((size.y - 2 * host_y) * (size.x - 2 * host_x));
  return left / static_cast<double>(size.y * size.x);
}

// Points at each end along y and x that are the host's.
struct HostSides {
  std::int64_t y{};
  std::int64_t x{};
};

HostSides host_sides(Box const& part, HostLayers const& layers) {
  if (layers.share != HostShare::all && layers.share != HostShare::front_back) return {};
  return {.y = std::min(layers.thickness_y, most_along(part.extent().y)),
          .x = std::min(layers.thickness_x, most_along(part.extent().x))};
}

// The other devices beside the host's layers along y and x: their planes are smaller, so they are
// faster, and more of them fit.
std::vector<SlabDevice> others_beside(Box const& part, std::span<SlabDevice const> devices,
                                      HostSides const& sides) {
  std::span<SlabDevice const> const beside = beside_host(devices);
  std::vector<SlabDevice> others(beside.begin(), beside.end());
  double const share = core_share(part, sides.y, sides.x);
  for (SlabDevice& other : others) {
    other.speed = (1 / share) * other.speed;
    double const fit = static_cast<double>(other.planes_max) / share;
    // A whole stack is the most that any device gets.
    if (share < 1) {
      other.planes_max =
          static_cast<std::int64_t>(std::min(fit, static_cast<double>(part.extent().z)));
    }
  }
  return others;
}

// Of the other devices together, as thick layers as they can.
std::int64_t thickness_across_z(Box const& part, std::span<SlabDevice const> devices,
                                HostLayers const& layers) {
  std::int64_t const count = host_layers(layers.share, std::ssize(devices));
  // Some plane is left for each of the others, if there are as many.
  std::int64_t const spare = std::max<std::int64_t>(0, part.extent().z - (std::ssize(devices) - 1));
  return count == 0 ? 0 : std::min(layers.thickness, spare / count);
}

// Whether the other devices' memories hold what such layers leave of the part.
bool have_memory_beside(Box const& part, std::span<SlabDevice const> devices,
                        HostLayers const& layers) {
  std::int64_t const count = host_layers(layers.share, std::ssize(devices));
  std::int64_t const left = part.extent().z - count * thickness_across_z(part, devices, layers);
  return planes_in_memory(others_beside(part, devices, host_sides(part, layers))) >= left;
}

// Whether a device's memory holds its slabs of the stack, as planes of the part; whatever these
// weigh.
bool has_memory(DeviceStack const& stack, int device, SlabDevice const& of) {
  Point const plane = stack.box.extent();
  double points = 0;
  for (SlabPlace const& slab : slabs_of(std::span(&stack, 1))) {
    if (slab.owner.device == device) points += static_cast<double>(slab.box.points());
  }
  return points <= static_cast<double>(of.planes_max) * static_cast<double>(plane.x * plane.y);
}

constexpr Seconds never{std::numeric_limits<double>::infinity()};

HostLayers with_thickness(HostLayers layers, std::int64_t thickness) {
  for (std::int64_t* const each : {&layers.thickness, &layers.thickness_y, &layers.thickness_x}) {
    if (*each > 0) *each = thickness;
  }
  return layers;
}

}  // namespace

void check_layers(HostLayers const& layers, int steps_at_once) {
  for (std::int64_t const thickness : {layers.thickness, layers.thickness_y, layers.thickness_x}) {
    if (thickness >= 0) continue;
    throw InputError("layers of a host of " + std::to_string(thickness) + " points",
                     "they have 0 or more", "take 0 for none");
  }
  if (layers.is_free && layers.thickness_x > 0 && steps_at_once > 1) {
    throw InputError(
        "free layers of a host across x, and " + std::to_string(steps_at_once) + " steps at once",
        "rows would end in the midst of a halo", "give the layers' thickness");
  }
}

void check_row_ends(Box const& domain, std::span<DeviceStack const> stacks,
                    std::int64_t halo_width) {
  for (SlabPlace const& slab : slabs_of(stacks)) {
    std::int64_t const before = slab.box.begin.x - domain.begin.x;
    std::int64_t const behind = domain.end.x - slab.box.end.x;
    for (std::int64_t const points : {before, behind}) {
      if (points == 0 || points >= halo_width) continue;
      throw InputError(
          "a box with " + std::to_string(points) + " points beyond it along x",
          "its halo is " + std::to_string(halo_width) + " wide, and the grid would end in it",
          "take fewer steps at once, or slabs without layers across x");
    }
  }
}

std::int64_t host_layers(HostShare share, std::int64_t devices) {
  switch (share) {
    case HostShare::all:
      return 2 * (devices - 1);
    case HostShare::front_back:
      return 2;
    case HostShare::device:
    case HostShare::none:
      return 0;
  }
  return 0;
}

std::span<SlabDevice const> beside_host(std::span<SlabDevice const> devices) {
  if (devices.size() >= 2) return devices.subspan(1);
  throw InputError("a host that computes no slab of its own", "its image has no other device",
                   "give the image another device");
}

std::int64_t planes_beside_host(Box const& domain, std::span<SlabDevice const> devices,
                                HostLayers const& layers) {
  std::int64_t const count = host_layers(layers.share, std::ssize(devices));
  bool const has_any = layers.thickness > 0 || layers.thickness_y > 0 || layers.thickness_x > 0;
  if (layers.is_free && has_any && count > 0) return planes_in_memory(devices);
  std::int64_t const of_others =
      planes_in_memory(others_beside(domain, devices, host_sides(domain, layers)));
  std::int64_t const of_host = count * std::min(layers.thickness, domain.extent().z);
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  return of_others > most - of_host ? most : of_others + of_host;
}

DeviceStack stack_beside_host(Box const& part, int image, std::span<SlabDevice const> devices,
                              HostLayers const& layers, PlaneWeights const& weights) {
  HostSides const sides = host_sides(part, layers);
  std::vector<SlabDevice> const others = others_beside(part, devices, sides);
  DeviceName const host{image, 0};
  DeviceStack stack{.box = part, .host_y = sides.y, .host_x = sides.x};
  bool const is_all = layers.share == HostShare::all;
  std::int64_t const thickness = thickness_across_z(part, devices, layers);
  std::int64_t const count = host_layers(layers.share, std::ssize(devices));
  // With layers between them the others' planes are cut as if these were at the ends.
  std::int64_t const below = count / 2 * thickness;
  auto const cut =
      planes_by_weight(part.begin.z + below, part.extent().z - count * thickness, others, weights);
  if (!is_all) add(stack, host, thickness);
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (is_all) add(stack, host, thickness);
    add(stack, {image, static_cast<int>(i) + 1}, cut[i]);
    if (is_all) add(stack, host, thickness);
  }
  if (!is_all) add(stack, host, thickness);
  return stack;
}

std::vector<double> planes_worth(DeviceStack const& stack, std::size_t devices,
                                 PlaneWeights const& weights) {
  std::vector<double> worth(devices);
  double const core = core_share(stack.box, stack.host_y, stack.host_x);
  std::int64_t at = stack.box.begin.z;
  for (std::size_t i = 0; i < stack.devices.size(); ++i) {
    double const all = weights.between(at, at + stack.planes[i]);
    at += stack.planes[i];
    bool const has_sides = core < 1 && stack.devices[i].device != 0;
    worth[static_cast<std::size_t>(stack.devices[i].device)] += has_sides ? core * all : all;
    if (has_sides) worth.front() += (1 - core) * all;
  }
  return worth;
}

Seconds longest_step(DeviceStack const& stack, std::span<SlabDevice const> devices,
                     PlaneWeights const& weights) {
  std::vector<double> const worth = planes_worth(stack, devices.size(), weights);
  Seconds longest{0.0};
  for (std::size_t at = 0; at < devices.size(); ++at) {
    longest = std::max(longest, work_time(devices[at], worth[at]));
  }
  return longest;
}

HostLayers free_layers(Box const& part, int image, std::span<SlabDevice const> devices,
                       HostLayers const& layers, PlaneWeights const& weights) {
  // When the host ends, and the last of the others.
  struct Ends {
    Seconds host;
    Seconds others;
  };
  auto const ends_with = [&](std::int64_t thickness) -> Ends {
    HostLayers const taken = with_thickness(layers, thickness);
    // Their memories do not hold so much: as if they never ended.
    if (!have_memory_beside(part, devices, taken)) return {.host = Seconds{0.0}, .others = never};
    DeviceStack const stack = stack_beside_host(part, image, devices, taken, weights);
    std::vector<double> const worth = planes_worth(stack, devices.size(), weights);
    Ends ends{.host = work_time(devices.front(), worth.front()), .others = Seconds{0.0}};
    // Its memory does not hold so much: as if it never ended.
    if (!has_memory(stack, 0, devices.front())) ends.host = never;
    for (std::size_t at = 1; at < devices.size(); ++at) {
      ends.others = std::max(ends.others, work_time(devices[at], worth[at]));
    }
    return ends;
  };
  Point const size = part.extent();
  std::int64_t high = thickness_across_z(part, devices, with_thickness(layers, size.z));
  if (layers.thickness_y > 0) high = std::max(high, most_along(size.y));
  if (layers.thickness_x > 0) high = std::max(high, most_along(size.x));
  std::int64_t const most = high;
  // The last with which the others end last: the host's time grows with it, theirs does not.
  std::int64_t low = 0;
  while (low < high) {
    std::int64_t const middle = (low + high + 1) / 2;
    Ends const ends = ends_with(middle);
    if (ends.host <= ends.others) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  // One more where the host then ends no later than the others do now.
  if (low < most) {
    Seconds const host = ends_with(low + 1).host;
    if (host < never && host <= ends_with(low).others) ++low;
  }
  return with_thickness(layers, low);
}

}  // namespace makespan::grid
