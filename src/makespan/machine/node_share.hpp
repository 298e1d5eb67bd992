// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which devices of a node belong to which of its images.

#include <cstddef>
#include <span>
#include <vector>

#include "makespan/machine/device_list.hpp"

namespace makespan::machine {

// One of the images that share a node.
struct NodePlace {
  int rank{0};
  int size{1};
};

// The cores that an image may use, and where it is among the images that may use just these.
struct SharedCores {
  std::vector<int> numbers;
  NodePlace place{};
};

// Of the images of a node, by what cores each may use, the place of the `mine`-th one among those
// that may use the same. A node is divided where these differ, not where they are fewer than all of
// its cores: a job may have been given a part of the node.
[[nodiscard]] NodePlace place_among_equals(std::span<std::vector<int> const> cores,
                                           std::size_t mine);

// How many GPUs are fed by threads on the cores that the `mine`-th image may use: by images that
// may use just these, of those of a host. `gpus`: that each feeds.
[[nodiscard]] int gpus_among_equals(std::span<std::vector<int> const> cores,
                                    std::span<int const> gpus, std::size_t mine);

// What one image gets of the devices that a list names for the whole node. Of a CPU that names no
// cores a row of those that it may use with others, or all of them where no other image may use
// just these: then the launcher has divided the node. Of as many devices as images, or more, a row
// of them, in the order of the list. Of a single CPU device that names cores a row of these. With
// more images than cores several have one. An image alone has all. Throws InputError on several
// devices that are fewer than the images. Tested by tests/machine/node_share_test.cpp.
[[nodiscard]] std::vector<DeviceSpec> share_of_node(std::vector<DeviceSpec> devices,
                                                    NodePlace place, SharedCores const& cores);

}  // namespace makespan::machine
