// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which of a node's devices belong to this image.

#include <vector>

#include "makespan/machine/device_list.hpp"

namespace makespan::bag {

// What this image gets of the devices that a list names for its whole node (share_of_node()): the
// images tell each other the cores that they may use.
//
// Collective over the job that this process was launched into, whatever `devices` are on each
// image; before it is joined. Blocks until all images are here. MPI runs on afterwards: the job
// that is joined next ends it. Throws InputError on devices that cannot be divided, and as
// Runtime's constructor. Tested by tests/bag/image/own_devices_test.cpp, as several images.
[[nodiscard]] std::vector<machine::DeviceSpec> own_devices_all(
    std::vector<machine::DeviceSpec> const& devices);

// How many GPUs are fed by threads on the cores that this image may use: of its `own` devices, and
// of those of the images of its host that may use the same cores. Collective and blocks as above;
// throws as Runtime's constructor.
[[nodiscard]] int gpus_on_own_cores_all(std::vector<machine::DeviceSpec> const& own);

}  // namespace makespan::bag
