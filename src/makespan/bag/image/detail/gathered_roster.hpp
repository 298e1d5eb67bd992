// SPDX-License-Identifier: Apache-2.0
#pragma once

// The roster of a job, put together from what each image has.

#include "makespan/bag/dispatch/image_roster.hpp"
#include "makespan/bag/team_layout.hpp"
#include "makespan/pgas/team.hpp"

namespace makespan::bag {

// Collective: from the layout of this image.
[[nodiscard]] ImageRoster make_roster_all(pgas::Team& team, TeamLayout const& layout);

}  // namespace makespan::bag
