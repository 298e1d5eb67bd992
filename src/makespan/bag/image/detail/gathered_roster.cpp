// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/image/detail/gathered_roster.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace makespan::bag {

ImageRoster make_roster_all(pgas::Team& team, TeamLayout const& layout) {
  std::array<std::int32_t, 3> const mine{layout.workers(), layout.devices(), layout.threads()};
  auto const counts = team.all_gather_all(std::span<std::int32_t const>(mine));
  ImageRoster roster{.first_worker = {0}, .first_device = {0}, .first_thread = {0}, .modes = {}};
  for (std::size_t at = 0; at < counts.size(); at += mine.size()) {
    roster.first_worker.push_back(roster.first_worker.back() + counts[at]);
    roster.first_device.push_back(roster.first_device.back() + counts[at + 1]);
    roster.first_thread.push_back(roster.first_thread.back() + counts[at + 2]);
  }
  // Gathered in rows of equal length.
  auto const row = static_cast<std::size_t>(roster.workers_most());
  std::vector<std::int32_t> own(row);
  std::ranges::transform(layout.modes(), own.begin(),
                         [](Mode mode) { return static_cast<int>(mode); });
  auto const all = team.all_gather_all(std::span<std::int32_t const>(own));
  for (int image = 0; image < roster.images(); ++image) {
    auto const begin = all.begin() + static_cast<std::ptrdiff_t>(row) * image;
    for (auto mode = begin; mode != begin + roster.workers_of(image); ++mode) {
      roster.modes.push_back(static_cast<Mode>(*mode));
    }
  }
  return roster;
}

}  // namespace makespan::bag
