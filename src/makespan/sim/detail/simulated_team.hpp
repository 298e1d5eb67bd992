// SPDX-License-Identifier: Apache-2.0
#pragma once

// Who works on a simulated bag, as the images of a real job would know it.

#include <memory>
#include <vector>

#include "makespan/bag/dispatch/image_dispatcher.hpp"
#include "makespan/bag/dispatch/image_roster.hpp"
#include "makespan/bag/policy/policy_registry.hpp"
#include "makespan/bag/team_layout.hpp"
#include "makespan/bag/team_options.hpp"
#include "makespan/bag/team_state.hpp"
#include "makespan/sim/bag_job.hpp"
#include "makespan/sim/detail/image_links.hpp"

namespace makespan::sim {

// A value. Tested through tests/sim/bag_simulation_test.cpp.
class SimulatedTeam {
 public:
  // Throws InputError on an invalid policy or invalid speeds.
  explicit SimulatedTeam(BagJob const& job);

  // With the modes that the dispatcher decides.
  [[nodiscard]] MachineModel const& machine() const { return machine_; }
  [[nodiscard]] bag::ImageRoster const& roster() const { return roster_; }
  [[nodiscard]] bag::TeamLayout const& layout(int image) const {
    return layouts_[static_cast<std::size_t>(image)];
  }
  [[nodiscard]] bag::ClaimWay way() const;
  [[nodiscard]] std::unique_ptr<bag::ChunkPolicy> policy() const;
  // What an image knows when it begins.
  [[nodiscard]] bag::TeamState state_of(int image) const;
  // By worker; 0: not known.
  [[nodiscard]] std::vector<Speed> const& remembered() const { return remembered_; }
  [[nodiscard]] PoolWords pool_of(int node) const;

 private:
  MachineModel machine_;
  bag::Dispatcher dispatcher_;
  bag::TeamOptions options_;  // policy; devices of one image stand for those of all
  std::vector<bag::TeamLayout> layouts_{};
  bag::ImageRoster roster_{};
  std::vector<Speed> remembered_{};
};

}  // namespace makespan::sim
