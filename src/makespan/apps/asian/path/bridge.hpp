// SPDX-License-Identifier: Apache-2.0
// The order in which a Brownian bridge fills a path: its end first, then level by level the middle
// step of each gap, by the number of steps and not by time.
#pragma once

#include <span>
#include <vector>

#include "makespan/apps/asian/kernel/path_job.hpp"

namespace makespan::asian {

// One entry per step. `time`: increasing or standing, > 0. Row 0 of a path is time 0, row i + 1 is
// time[i]. Source: P. Glasserman, Monte Carlo Methods in Financial Engineering (2004), section 3.1.
void lay_bridge(std::span<double const> time, std::vector<BridgeStep>& bridge);

}  // namespace makespan::asian
