// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which slab of the grid each device of each image has.

#include <cstdint>
#include <span>
#include <vector>

#include "makespan/grid/cut/box.hpp"
#include "makespan/grid/cut/plane_weights.hpp"
#include "makespan/grid/cut/slab_cut.hpp"

namespace makespan::grid {

// How the grid is cut between images. Among the devices of one it is cut into slabs along z.
enum class ImageCut : std::uint8_t {
  automatic,  // stack up to 5 images, boxes from 6 on: there a box has less surface than a slab
  stack,      // slabs along z through all images
  boxes,      // a box for each, by the speeds of its devices together
};

// How boundaries of an image's part are divided between its host, which is its first device, and
// the other ones.
enum class HostShare : std::uint8_t {
  device,      // the host is a device like others: a slab of its own, by speed
  none,        // it computes nothing, and only moves messages
  all,         // a layer at both ends of each other device's slab
  front_back,  // a layer at both ends of the image's part: what other images need, it has
};

// Across z as `share` says, and besides at both ends of the image's part along y and x, beside the
// other devices: of `all` and `front_back`. Those across z take all of the part's plane, those
// across y the rows that are left, those across x what is left of rows.
struct HostLayers {
  HostShare share{HostShare::device};
  std::int64_t thickness{};    // planes of each layer across z
  std::int64_t thickness_y{};  // points of each across y
  std::int64_t thickness_x{};
  // Those that are above 0 become as thick as costs nothing: all the same, as far as there is room.
  bool is_free{false};
};

struct DeviceName {
  int image{};
  int device{};  // of the image

  friend bool operator==(DeviceName const&, DeviceName const&) = default;
};

// Slabs one above the other, from the lowest plane of a box on. A host may have several; and layers
// beside those of the other devices of its image.
struct DeviceStack {
  Box box{};
  std::vector<DeviceName> devices{};
  std::vector<std::int64_t> planes{};  // of each; 0 for those that have none
  // Points at each end along y and x of other devices' slabs that are the host's.
  std::int64_t host_y{0};
  std::int64_t host_x{0};

  friend bool operator==(DeviceStack const&, DeviceStack const&) = default;
};

// A device's part of the grid.
struct SlabPlace {
  DeviceName owner{};
  Box box{};

  friend bool operator==(SlabPlace const&, SlabPlace const&) = default;
};

// Devices by image.
using ImageDevices = std::vector<std::vector<SlabDevice>>;

// With `stack` all devices of all images end a step together, as far as planes go; with `boxes`
// those of an image do, each image a stack of its own, and images as far as layers of boxes go.
// Layers of the host are as thick as asked for, thinner where there are too few planes. Planes
// count by their weights.
//
// Throws as planes_by_weight() and boxes_by_weight() do, and InputError where a host is to have
// layers without another device beside it. Tested by tests/grid/cut/layout_test.cpp.
[[nodiscard]] std::vector<DeviceStack> stacks_of(Box const& domain, ImageDevices const& images,
                                                 ImageCut cut = ImageCut::automatic,
                                                 HostLayers const& layers = {},
                                                 PlaneWeights const& weights = {});

// Those with points, stack by stack.
[[nodiscard]] std::vector<SlabPlace> slabs_of(std::span<DeviceStack const> stacks);
// Points of `a`'s boxes that have another device in `b`.
[[nodiscard]] std::int64_t points_moved(std::span<DeviceStack const> a,
                                        std::span<DeviceStack const> b);

// What `automatic` comes to.
[[nodiscard]] ImageCut resolved(ImageCut cut, int images);

}  // namespace makespan::grid
