// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/image/detail/gathered_roster.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "makespan/base/ids.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/base/joined.hpp"

namespace makespan::bag {

namespace {

// As many threads as a team may have; few enough to number those of half a million images.
constexpr std::int32_t count_max = 4096;

ImageId image_at(std::size_t at) {
  return ImageId{static_cast<std::int64_t>(at)};
}

bool is_mode(std::int32_t number) {
  return std::ranges::any_of(
      modes(), [&](ModeEntry const& entry) { return static_cast<int>(entry.mode) == number; });
}

}  // namespace

ImageRoster roster_of(std::span<ImageCounts const> counts) {
  ImageRoster roster{.first_worker = {0}, .first_device = {0}, .first_thread = {0}, .modes = {}};
  for (std::size_t image = 0; image < counts.size(); ++image) {
    auto const& [workers, devices, threads] = counts[image];
    auto const is_count = [](std::int32_t count) { return count >= 1 && count <= count_max; };
    if (!is_count(workers) || !is_count(devices) || !is_count(threads)) {
      throw BadMessage(image_at(image), joined(workers, " workers, ", devices, " devices and ",
                                               threads, " threads"));
    }
    roster.first_worker.push_back(roster.first_worker.back() + workers);
    roster.first_device.push_back(roster.first_device.back() + devices);
    roster.first_thread.push_back(roster.first_thread.back() + threads);
  }
  return roster;
}

void add_modes(ImageRoster& roster, std::span<std::int32_t const> rows) {
  auto const row = static_cast<std::size_t>(roster.workers_most());
  for (int image = 0; image < roster.images(); ++image) {
    auto const own = rows.subspan(row * static_cast<std::size_t>(image),
                                  static_cast<std::size_t>(roster.workers_of(image)));
    for (std::int32_t const mode : own) {
      if (!is_mode(mode)) throw BadMessage(ImageId{image}, joined("mode ", mode, " of a worker"));
      roster.modes.push_back(static_cast<Mode>(mode));
    }
  }
}

ImageRoster make_roster_all(pgas::Team& team, TeamLayout const& layout) {
  ImageCounts const mine{layout.workers(), layout.devices(), layout.threads()};
  ImageRoster roster = roster_of(team.all_gather_all(std::span<ImageCounts const>(&mine, 1)));
  // Gathered in rows of equal length.
  std::vector<std::int32_t> own(static_cast<std::size_t>(roster.workers_most()));
  std::ranges::transform(layout.modes(), own.begin(),
                         [](Mode mode) { return static_cast<int>(mode); });
  add_modes(roster, team.all_gather_all(std::span<std::int32_t const>(own)));
  return roster;
}

}  // namespace makespan::bag
