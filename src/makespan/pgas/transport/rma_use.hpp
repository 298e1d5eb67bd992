// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether memory of another image is reached by the network's own put and get (RMA), where a
// transport has them beside messages.

#include <cstdint>

namespace makespan::pgas {

enum class RmaUse : std::uint8_t {
  automatic,  // where they are faster, by the first operations of each size
  always,     // also where memory can be mapped
  never,      // by messages, or where memory is mapped
};

}  // namespace makespan::pgas
