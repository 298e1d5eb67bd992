// SPDX-License-Identifier: Apache-2.0
// What devices of all images have done.
#include <cstddef>
#include <span>
#include <vector>

#include "makespan/grid/cut/layout.hpp"
#include "makespan/grid/team/detail/team_command.hpp"
#include "makespan/grid/team/grid_team.hpp"

namespace makespan::grid {

TeamReport GridTeam::report() {
  tell_all({.verb = Verb::report});
  GridReport const mine = grid().report();
  return {
      .devices = reports_all(), .rebalances = mine.rebalances, .planes_moved = mine.planes_moved};
}

std::vector<DeviceReport> GridTeam::reports_all() {
  GridReport const mine = grid().report();
  // As they are: all images run the same program.
  auto const times = runtime_->team().all_gather_all(std::span<DeviceTimes const>(mine.devices));
  auto const halos = runtime_->team().all_gather_all(std::span<HaloCounts const>(mine.halos));
  std::size_t const devices = mine.devices.size();  // of every image
  std::vector<DeviceReport> reports(times.size());
  for (std::size_t at = 0; at < times.size(); ++at) {
    reports[at] = {.image = static_cast<int>(at / devices),
                   .device = static_cast<int>(at % devices),
                   .times = times[at],
                   .halos = halos[at]};
  }
  auto const report_of = [&](DeviceName const& name) -> DeviceReport& {
    return reports[static_cast<std::size_t>(name.image) * devices +
                   static_cast<std::size_t>(name.device)];
  };
  for (DeviceStack const& stack : grid().stacks()) {
    for (std::size_t at = 0; at < stack.devices.size(); ++at) {
      report_of(stack.devices[at]).planes += stack.planes[at];
    }
  }
  for (SlabPlace const& slab : slabs_of(grid().stacks())) {
    report_of(slab.owner).points += slab.box.points();
  }
  if (phases_kept_ > 0) add_phases_all(reports);
  return reports;
}

// All images send as many, the rest of which are no phases: their steps are below 0.
void GridTeam::add_phases_all(std::vector<DeviceReport>& reports) {
  auto const kept = static_cast<std::size_t>(phases_kept_);
  std::vector<PhaseSpan> mine;
  for (std::vector<PhaseSpan> const& spans : grid().phases()) {
    mine.insert(mine.end(), spans.begin(), spans.end());
    mine.insert(mine.end(), kept - spans.size(), PhaseSpan{.step = -1});
  }
  auto const all = runtime_->team().all_gather_all(std::span<PhaseSpan const>(mine));
  for (std::size_t at = 0; at < all.size(); ++at) {
    if (all[at].step >= 0) reports[at / kept].phases.push_back(all[at]);
  }
}

}  // namespace makespan::grid
