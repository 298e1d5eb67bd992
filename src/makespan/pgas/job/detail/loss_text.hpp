// SPDX-License-Identifier: Apache-2.0
#pragma once

// What users read about a lost image.

#include <string>

#include "makespan/base/ids.hpp"
#include "makespan/base/quantity.hpp"
#include "makespan/pgas/job/detail/heartbeat_ring.hpp"

namespace makespan::pgas {

// "silent for 1.25 s", as `self` puts it; with "says image 3" if another found out.
[[nodiscard]] std::string loss_text(HeartbeatLoss const& loss, ImageId self, Seconds silence_limit);

}  // namespace makespan::pgas
