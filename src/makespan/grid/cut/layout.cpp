// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/cut/layout.hpp"

#include <algorithm>
#include <cstddef>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/grid/cut/detail/box_cut.hpp"
#include "makespan/grid/cut/host_layers.hpp"

namespace makespan::grid {

namespace {

constexpr int stack_images_max = 5;

// The part of one image.
DeviceStack stack_of_image(Box const& part, int image, std::vector<SlabDevice> const& devices,
                           HostLayers const& layers, PlaneWeights const& weights) {
  if (layers.share != HostShare::device) {
    HostLayers const taken =
        layers.is_free ? free_layers(part, image, devices, layers, weights) : layers;
    return stack_beside_host(part, image, devices, taken, weights);
  }
  DeviceStack stack{.box = part,
                    .planes = planes_by_weight(part.begin.z, part.extent().z, devices, weights)};
  for (std::size_t i = 0; i < devices.size(); ++i) {
    stack.devices.push_back({image, static_cast<int>(i)});
  }
  return stack;
}

// Of the devices that have slabs; a host with free layers has as much as it can do.
double speed_of(std::vector<SlabDevice> const& devices, HostLayers const& layers) {
  double sum = 0;
  bool const has_host =
      layers.share == HostShare::device || (layers.share != HostShare::none && layers.is_free);
  std::size_t const first = has_host ? 0 : 1;
  for (std::size_t i = first; i < devices.size(); ++i) sum += devices[i].speed.value();
  return sum;
}

// One through all images: planes of each device as if all were one image's.
DeviceStack stack_of_all(Box const& domain, ImageDevices const& images,
                         PlaneWeights const& weights) {
  std::vector<SlabDevice> all;
  DeviceStack stack{.box = domain};
  for (std::size_t image = 0; image < images.size(); ++image) {
    all.insert(all.end(), images[image].begin(), images[image].end());
    for (std::size_t device = 0; device < images[image].size(); ++device) {
      stack.devices.push_back({static_cast<int>(image), static_cast<int>(device)});
    }
  }
  stack.planes = planes_by_weight(domain.begin.z, domain.extent().z, all, weights);
  return stack;
}

// A part of the domain along z for each image, no larger than its memories hold.
std::vector<Box> parts_along_z(Box const& domain, ImageDevices const& images,
                               HostLayers const& layers, PlaneWeights const& weights) {
  std::vector<SlabDevice> whole;
  whole.reserve(images.size());
  for (auto const& devices : images) {
    whole.push_back({.speed = Speed{speed_of(devices, layers)},
                     .planes_max = planes_beside_host(domain, devices, layers)});
  }
  auto const cut = planes_by_weight(domain.begin.z, domain.extent().z, whole, weights);
  std::vector<Box> parts;
  Box left = domain;
  for (std::int64_t const planes : cut) {
    Box part = left;
    part.end.z = part.begin.z + planes;
    left.begin.z = part.end.z;
    parts.push_back(part);
  }
  return parts;
}

void add(std::vector<SlabPlace>& slabs, DeviceName const& owner, Box const& box) {
  if (!box.is_empty()) slabs.push_back({.owner = owner, .box = box});
}

// Without the host's layers along y and x.
Box core_of(DeviceStack const& stack, Box box) {
  box.begin.y += stack.host_y;
  box.end.y -= stack.host_y;
  box.begin.x += stack.host_x;
  box.end.x -= stack.host_x;
  return box;
}

// What the host has beside other devices' slabs, which together are this box.
void add_sides(DeviceStack const& stack, Box const& box, std::vector<SlabPlace>& slabs) {
  if (box.is_empty()) return;
  DeviceName const host{stack.devices.front().image, 0};
  Box const core = core_of(stack, box);
  Box low = box;
  Box high = box;
  // Across y all of the rows that are left; across x, below, what these leave of rows.
  low.end.y = core.begin.y;
  high.begin.y = core.end.y;
  add(slabs, host, low);
  add(slabs, host, high);
  low = high = box;
  low.begin.y = high.begin.y = core.begin.y;
  low.end.y = high.end.y = core.end.y;
  low.end.x = core.begin.x;
  high.begin.x = core.end.x;
  add(slabs, host, low);
  add(slabs, host, high);
}

void add_slabs(DeviceStack const& stack, std::vector<SlabPlace>& slabs) {
  MAKESPAN_EXPECT(stack.devices.size() == stack.planes.size());
  bool const has_sides = stack.host_y > 0 || stack.host_x > 0;
  Box box = stack.box;
  Box others = stack.box;  // in a row, since the host's last layer
  for (std::size_t i = 0; i < stack.devices.size(); ++i) {
    box.end.z = box.begin.z + stack.planes[i];
    bool const is_host = stack.devices[i].device == 0;
    if (has_sides && is_host && !box.is_empty()) {
      others.end.z = box.begin.z;
      add_sides(stack, others, slabs);
      others.begin.z = box.end.z;
    }
    add(slabs, stack.devices[i], has_sides && !is_host ? core_of(stack, box) : box);
    box.begin.z = box.end.z;
  }
  MAKESPAN_EXPECT(box.end.z == stack.box.end.z);
  others.end.z = box.end.z;
  if (has_sides) add_sides(stack, others, slabs);
}

}  // namespace

ImageCut resolved(ImageCut cut, int images) {
  if (cut != ImageCut::automatic) return cut;
  return images <= stack_images_max ? ImageCut::stack : ImageCut::boxes;
}

std::vector<DeviceStack> stacks_of(Box const& domain, ImageDevices const& images, ImageCut cut,
                                   HostLayers const& layers, PlaneWeights const& weights) {
  MAKESPAN_EXPECT(!images.empty());
  MAKESPAN_EXPECT(layers.thickness >= 0);
  MAKESPAN_EXPECT(layers.thickness_y >= 0);
  MAKESPAN_EXPECT(layers.thickness_x >= 0);
  // Before anything is cut: an image without such a device has no speed, and would get no part.
  if (layers.share != HostShare::device) {
    for (auto const& devices : images) static_cast<void>(beside_host(devices));
  }
  bool const is_stack = resolved(cut, static_cast<int>(images.size())) == ImageCut::stack;
  // One cut through all devices is exact to a plane; cutting images first would round twice.
  if (is_stack && layers.share == HostShare::device) return {stack_of_all(domain, images, weights)};
  std::vector<Box> parts;
  if (is_stack) {
    parts = parts_along_z(domain, images, layers, weights);
  } else {
    std::vector<double> speeds;
    speeds.reserve(images.size());
    for (auto const& devices : images) speeds.push_back(speed_of(devices, layers));
    parts = boxes_by_weight(domain, speeds, weights);
  }
  std::vector<DeviceStack> stacks;
  for (std::size_t image = 0; image < images.size(); ++image) {
    Box const& part = parts[image];
    if (part.is_empty()) continue;
    stacks.push_back(stack_of_image(part, static_cast<int>(image), images[image], layers, weights));
  }
  return stacks;
}

std::vector<SlabPlace> slabs_of(std::span<DeviceStack const> stacks) {
  std::vector<SlabPlace> slabs;
  for (DeviceStack const& stack : stacks) add_slabs(stack, slabs);
  return slabs;
}

std::int64_t points_moved(std::span<DeviceStack const> a, std::span<DeviceStack const> b) {
  std::int64_t moved = 0;
  auto const slabs_b = slabs_of(b);
  for (SlabPlace const& from : slabs_of(a)) {
    moved += from.box.points();
    for (SlabPlace const& to : slabs_b) {
      if (from.owner == to.owner) moved -= intersection(from.box, to.box).points();
    }
  }
  return moved;
}

}  // namespace makespan::grid
