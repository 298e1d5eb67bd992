// SPDX-License-Identifier: Apache-2.0
#pragma once

// In what order a step goes, and what way its halos take.

#include <cstdint>

namespace makespan::grid {

// What a device does in a step, and in what order.
enum class Schedule : std::uint8_t {
  none,      // everything; then halos travel, and all wait for them
  overlap,   // what others wait for first; halos travel while it does the rest
  pipeline,  // the same in blocks, each of which is sent as soon as it is computed
};

// What way halos take between devices of different images.
enum class Route : std::uint8_t {
  direct,   // from the device's own endpoint into the other device's memory
  relayed,  // by the hosts of both: from device to host, to the other host, to its device
};

}  // namespace makespan::grid
