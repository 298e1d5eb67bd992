// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a device throws when it can run no more items, whichever they are.

#include <stdexcept>

namespace makespan::bag {

// Ends the device, not the run: others take over what it held. Any other exception is the item's,
// and ends the run.
class DeviceFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace makespan::bag
