// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which devices of a node belong to which of its images.

#include <vector>

#include "makespan/machine/device_list.hpp"

namespace makespan::machine {

// One of the images that share a node.
struct NodePlace {
  int rank{0};
  int size{1};
};

// What one image gets of the devices that a list names for the whole node. Of as many devices as
// images, or more, a row of them, in the order of the list. Of a single CPU device a row of its
// cores (`cores`, those that the process may use, if it names none); with more images than cores
// several have one. An image alone has all. Throws InputError on several devices that are fewer
// than the images.
//
// Where the launcher has given each image cores of its own, `cores` are fewer than `node_cores` and
// a device that names none is left alone. Tested by tests/machine/node_share_test.cpp.
[[nodiscard]] std::vector<DeviceSpec> share_of_node(std::vector<DeviceSpec> devices,
                                                    NodePlace place, std::vector<int> const& cores,
                                                    int node_cores);

}  // namespace makespan::machine
