// SPDX-License-Identifier: Apache-2.0
#pragma once

// The runtime by which the devices of all images work on bags.

#include <memory>

#include "makespan/pgas/runtime.hpp"

namespace makespan::bag {

// Collective. For a thread that drives the team and `team_threads` that work. Throws InputError
// where MAKESPAN_TRANSPORT names one that bags cannot use, on all images.
[[nodiscard]] std::unique_ptr<pgas::Runtime> open_bag_runtime_all(int team_threads);

}  // namespace makespan::bag
