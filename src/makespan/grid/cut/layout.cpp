// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/cut/layout.hpp"

#include <algorithm>
#include <cstddef>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/grid/cut/detail/box_cut.hpp"

namespace makespan::grid {

namespace {

constexpr int stack_images_max = 5;

void add(DeviceStack& stack, DeviceName const& device, std::int64_t planes) {
  stack.devices.push_back(device);
  stack.planes.push_back(planes);
}

void check_has_others(std::span<SlabDevice const> devices) {
  if (devices.size() >= 2) return;
  throw InputError("a host that computes no slab of its own", "its image has no other device",
                   "give the image another device");
}

std::vector<SlabDevice> without_host(std::span<SlabDevice const> devices) {
  check_has_others(devices);
  return {devices.begin() + 1, devices.end()};
}

// The part of one image.
DeviceStack stack_of_image(Box const& part, int image, std::vector<SlabDevice> const& devices,
                           HostLayers const& layers) {
  if (layers.share != HostShare::device) return stack_beside_host(part, image, devices, layers);
  DeviceStack stack{.box = part, .planes = planes_by_speed(part.extent().z, devices)};
  for (std::size_t i = 0; i < devices.size(); ++i) {
    stack.devices.push_back({image, static_cast<int>(i)});
  }
  return stack;
}

// Of the devices that have slabs.
double speed_of(std::vector<SlabDevice> const& devices, HostLayers const& layers) {
  double sum = 0;
  std::size_t const first = layers.share == HostShare::device ? 0 : 1;
  for (std::size_t i = first; i < devices.size(); ++i) sum += devices[i].speed.value();
  return sum;
}

// One through all images: planes of each device as if all were one image's.
DeviceStack stack_of_all(Box const& domain, ImageDevices const& images) {
  std::vector<SlabDevice> all;
  DeviceStack stack{.box = domain};
  for (std::size_t image = 0; image < images.size(); ++image) {
    all.insert(all.end(), images[image].begin(), images[image].end());
    for (std::size_t device = 0; device < images[image].size(); ++device) {
      stack.devices.push_back({static_cast<int>(image), static_cast<int>(device)});
    }
  }
  stack.planes = planes_by_speed(domain.extent().z, all);
  return stack;
}

// A part of the domain along z for each image.
std::vector<Box> parts_along_z(Box const& domain, ImageDevices const& images,
                               HostLayers const& layers) {
  std::vector<SlabDevice> whole;
  whole.reserve(images.size());
  for (auto const& devices : images) whole.push_back({.speed = Speed{speed_of(devices, layers)}});
  auto const cut = planes_by_speed(domain.extent().z, whole);
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

}  // namespace

DeviceStack stack_beside_host(Box const& part, int image, std::span<SlabDevice const> devices,
                              HostLayers const& layers) {
  std::vector<SlabDevice> const others = without_host(devices);
  DeviceName const host{image, 0};
  DeviceStack stack{.box = part};
  bool const is_all = layers.share == HostShare::all;
  std::int64_t const planes = part.extent().z;
  std::int64_t const count = host_layers(layers.share, std::ssize(devices));
  // Some plane is left for each of the others, if there are as many.
  std::int64_t const spare = std::max<std::int64_t>(0, planes - std::ssize(others));
  std::int64_t const thickness = count == 0 ? 0 : std::min(layers.thickness, spare / count);
  auto const cut = planes_by_speed(planes - count * thickness, others);
  if (!is_all) add(stack, host, thickness);
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (is_all) add(stack, host, thickness);
    add(stack, {image, static_cast<int>(i) + 1}, cut[i]);
    if (is_all) add(stack, host, thickness);
  }
  if (!is_all) add(stack, host, thickness);
  return stack;
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

Seconds longest_step(DeviceStack const& stack, std::span<SlabDevice const> devices) {
  std::vector<std::int64_t> planes(devices.size());
  for (std::size_t i = 0; i < stack.devices.size(); ++i) {
    planes[static_cast<std::size_t>(stack.devices[i].device)] += stack.planes[i];
  }
  return longest_step(devices, planes);
}

ImageCut resolved(ImageCut cut, int images) {
  if (cut != ImageCut::automatic) return cut;
  return images <= stack_images_max ? ImageCut::stack : ImageCut::boxes;
}

std::vector<DeviceStack> stacks_of(Box const& domain, ImageDevices const& images, ImageCut cut,
                                   HostLayers const& layers) {
  MAKESPAN_EXPECT(!images.empty());
  MAKESPAN_EXPECT(layers.thickness >= 0);
  // Before anything is cut: an image without such a device has no speed, and would get no part.
  if (layers.share != HostShare::device) std::ranges::for_each(images, check_has_others);
  bool const is_stack = resolved(cut, static_cast<int>(images.size())) == ImageCut::stack;
  // One cut through all devices is exact to a plane; cutting images first would round twice.
  if (is_stack && layers.share == HostShare::device) return {stack_of_all(domain, images)};
  std::vector<Box> parts;
  if (is_stack) {
    parts = parts_along_z(domain, images, layers);
  } else {
    std::vector<double> weights;
    weights.reserve(images.size());
    for (auto const& devices : images) weights.push_back(speed_of(devices, layers));
    parts = boxes_by_weight(domain, weights);
  }
  std::vector<DeviceStack> stacks;
  for (std::size_t image = 0; image < images.size(); ++image) {
    Box const& part = parts[image];
    if (part.is_empty()) continue;
    stacks.push_back(stack_of_image(part, static_cast<int>(image), images[image], layers));
  }
  return stacks;
}

std::vector<SlabPlace> slabs_of(std::span<DeviceStack const> stacks) {
  std::vector<SlabPlace> slabs;
  for (DeviceStack const& stack : stacks) {
    MAKESPAN_EXPECT(stack.devices.size() == stack.planes.size());
    Box box = stack.box;
    for (std::size_t i = 0; i < stack.devices.size(); ++i) {
      box.end.z = box.begin.z + stack.planes[i];
      if (!box.is_empty()) slabs.push_back({.owner = stack.devices[i], .box = box});
      box.begin.z = box.end.z;
    }
    MAKESPAN_EXPECT(box.end.z == stack.box.end.z);
  }
  return slabs;
}

}  // namespace makespan::grid
