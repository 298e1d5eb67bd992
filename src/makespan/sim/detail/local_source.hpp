// SPDX-License-Identifier: Apache-2.0
#pragma once

// Hands a bag out to the workers of a simulated machine of one image: the pure ClaimMachine, and
// tails that are stolen, as bag::LocalDispatcher does with threads.

#include <vector>

#include "makespan/bag/claim_source.hpp"
#include "makespan/bag/protocol/bag.hpp"
#include "makespan/bag/protocol/claim_machine.hpp"
#include "makespan/bag/team_state.hpp"
#include "makespan/sim/detail/virtual_clock.hpp"
#include "makespan/sim/detail/worker_table.hpp"

namespace makespan::sim {

// For actors; claims cost nothing.
class LocalSource final : public bag::ClaimSource {
 public:
  // Keeps references.
  LocalSource(bag::Bag const& bag, std::vector<bag::Mode> const& modes, bool steals,
              bag::TeamState& state, WorkerTable& workers, VirtualClock& clock);

  std::optional<bag::Grant> claim(int worker, Seconds claim_cost) override;
  void finish(int worker, std::span<bag::ItemRange const> done, Seconds taken,
              Seconds claim) override;
  void forget(int /*worker*/) override {}
  void give_back(int worker) override;
  void leave(int /*worker*/) override {}
  void take_back(int worker) override { give_back(worker); }
  void give_up(int worker) override { give_back(worker); }
  [[nodiscard]] Speed speed_to_go_by(int worker) override { return speeds_.speed_to_go_by(worker); }
  void stop() override;

  [[nodiscard]] bool complete() const override { return machine_.complete(); }
  [[nodiscard]] std::int64_t claims() const override { return machine_.claims(); }
  [[nodiscard]] std::int64_t steals() const override { return machine_.steals(); }

 private:
  [[nodiscard]] bag::Grant grant(int worker, bag::ItemRange items, bool waited, bool stolen);
  [[nodiscard]] std::optional<bag::ItemRange> steal(int worker, Seconds claim_cost);

  bag::Bag const& bag_;
  std::vector<bag::Mode> modes_;
  bool steals_;
  bag::SpeedTable& speeds_;
  WorkerTable& workers_;
  VirtualClock& clock_;
  std::vector<bag::WorkerView> views_;
  bag::ClaimMachine machine_;
};

}  // namespace makespan::sim
