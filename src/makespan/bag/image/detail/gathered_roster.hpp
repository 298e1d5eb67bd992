// SPDX-License-Identifier: Apache-2.0
#pragma once

// The roster of a job, put together from what each image has.

#include <array>
#include <cstdint>
#include <span>

#include "makespan/bag/dispatch/image_roster.hpp"
#include "makespan/bag/team_layout.hpp"
#include "makespan/pgas/team.hpp"

namespace makespan::bag {

// What an image says of itself: how many workers, devices and threads it has.
using ImageCounts = std::array<std::int32_t, 3>;

// Collective: from the layout of this image. Throws BadMessage as the next two.
[[nodiscard]] ImageRoster make_roster_all(pgas::Team& team, TeamLayout const& layout);

// Without modes, from the counts of all images. Throws BadMessage for a count that no image has.
// Tested, as the next, by tests/bag/image/gathered_roster_test.cpp.
[[nodiscard]] ImageRoster roster_of(std::span<ImageCounts const> counts);

// Adds the modes, from rows of the length of workers_most(). Throws BadMessage for one that there
// is not.
void add_modes(ImageRoster& roster, std::span<std::int32_t const> rows);

}  // namespace makespan::bag
