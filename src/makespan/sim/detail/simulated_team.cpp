// SPDX-License-Identifier: Apache-2.0
#include "makespan/sim/detail/simulated_team.hpp"

#include <cstddef>
#include <string>

#include "makespan/bag/claim_cost.hpp"
#include "makespan/bag/protocol/speed_table.hpp"
#include "makespan/base/error.hpp"

namespace makespan::sim {

namespace {

// Of one image, as a real team's options.
bag::TeamOptions options_of(BagJob const& job, ImageModel const& image) {
  bag::TeamOptions options;
  options.devices.clear();
  for (DeviceModel const& device : image.devices) {
    bag::TeamDevice team_device{.threads = device.threads, .mode = device.mode};
    team_device.pieces.time = device.piece;
    team_device.pieces.cost = device.claim + device.launch;
    options.devices.push_back(team_device);
  }
  options.policy = job.policy;
  options.policy_options = job.policy_options;
  options.dispatcher = job.dispatcher;
  return bag::with_choices_of_dispatcher(options);
}

}  // namespace

SimulatedTeam::SimulatedTeam(BagJob const& job)
    : machine_{job.machine}, dispatcher_{job.dispatcher}, remembered_{job.speeds} {
  roster_ = {.first_worker = {0}, .first_device = {0}, .first_thread = {0}, .modes = {}};
  for (ImageModel& image : machine_.images) {
    // Modes that were left to the dispatcher are settled here: the workers of the machine and those
    // of the roster must be the same ones.
    options_ = options_of(job, image);
    for (std::size_t device = 0; device < image.devices.size(); ++device) {
      image.devices[device].mode = options_.devices[device].mode;
    }
    bag::TeamLayout const& layout = layouts_.emplace_back(options_.devices);
    roster_.first_worker.push_back(roster_.first_worker.back() + layout.workers());
    roster_.first_device.push_back(roster_.first_device.back() + layout.devices());
    roster_.first_thread.push_back(roster_.first_thread.back() + layout.threads());
    roster_.modes.insert(roster_.modes.end(), layout.modes().begin(), layout.modes().end());
  }
  auto const workers = static_cast<std::size_t>(roster_.workers());
  if (remembered_.empty()) remembered_.resize(workers);
  if (remembered_.size() != workers) {
    throw InputError(std::to_string(remembered_.size()) + " remembered speeds",
                     "there are " + std::to_string(workers) + " workers", "give one for each");
  }
}

bag::ClaimWay SimulatedTeam::way() const {
  return bag::claim_way(dispatcher_, bag::policy_entry(options_.policy).form, roster_.modes);
}

std::unique_ptr<bag::ChunkPolicy> SimulatedTeam::policy() const {
  return bag::make_policy(options_.policy, options_.policy_options);
}

bag::TeamState SimulatedTeam::state_of(int image) const {
  bag::TeamLayout const& of_image = layout(image);
  int const first = roster_.first_worker[static_cast<std::size_t>(image)];
  bag::SpeedTable speeds(of_image.workers());
  for (int worker = 0; worker < of_image.workers(); ++worker) {
    Speed const known =
        remembered_[static_cast<std::size_t>(first) + static_cast<std::size_t>(worker)];
    if (known > Speed{}) speeds.remember(worker, known);
  }
  return {.policy = policy(),
          .speeds = std::move(speeds),
          .claim_costs = std::vector<Seconds>(static_cast<std::size_t>(of_image.workers()),
                                              bag::claim_cost_at_first),
          .failed = std::vector<bool>(static_cast<std::size_t>(of_image.devices()))};
}

PoolWords SimulatedTeam::pool_of(int node) const {
  PoolWords words{.image = -1, .speeds = remembered_};
  for (int image = 0; image < roster_.images(); ++image) {
    if (machine_.images[static_cast<std::size_t>(image)].node != node) continue;
    if (words.image < 0) words.image = image;
    for (int worker = roster_.first_worker[static_cast<std::size_t>(image)];
         worker < roster_.first_worker[static_cast<std::size_t>(image) + 1]; ++worker) {
      words.members.push_back(worker);
    }
  }
  return words;
}

}  // namespace makespan::sim
