// SPDX-License-Identifier: Apache-2.0
#pragma once

// Hands a bag out to the workers of one process: the pure ClaimMachine under a mutex, and tail
// stealing over a board.

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "makespan/bag/claim_source.hpp"
#include "makespan/bag/dispatcher.hpp"
#include "makespan/bag/item_runner.hpp"
#include "makespan/bag/protocol/bag.hpp"
#include "makespan/bag/protocol/claim_machine.hpp"
#include "makespan/bag/protocol/mode.hpp"
#include "makespan/bag/team_clock.hpp"
#include "makespan/bag/team_layout.hpp"
#include "makespan/bag/team_state.hpp"
#include "makespan/bag/worker_board.hpp"
#include "makespan/base/quantity.hpp"

namespace makespan::bag {

// What the workers of a team share.
struct TeamBoard {
  TeamState& state;
  WorkerBoard& board;
  TeamClock const& clock;
};

// Tested by tests/bag/local_dispatcher_test.cpp, and through device_team_test.cpp.
class LocalDispatcher final : public ClaimSource {
 public:
  // Keeps references; there are as many workers as the state has speeds. Its policy and speeds are
  // touched from here on by this alone.
  LocalDispatcher(Bag const& bag, ItemRunner& runner, TeamLayout const& layout,
                  Dispatcher dispatcher, TeamBoard const& shared);

  // Where tails are stolen, one that waits looks again every half millisecond.
  std::optional<Grant> claim(int worker, Seconds claim_cost) override;
  void finish(int worker, std::span<ItemRange const> done, Seconds taken, Seconds claim) override;
  void forget(int /*worker*/) override {}  // all is told at once
  void give_back(int worker) override;
  void leave(int /*worker*/) override {}  // it holds nothing, and others do not wait for it
  void take_back(int worker) override { give_back(worker); }
  void give_up(int worker) override { give_back(worker); }
  [[nodiscard]] Speed speed_to_go_by(int worker) override;
  void stop() override;

  [[nodiscard]] bool complete() const override;
  [[nodiscard]] std::int64_t claims() const override;
  [[nodiscard]] std::int64_t steals() const override;

 private:
  using Lock = TeamCondition::Lock;

  // All with the mutex held.
  Grant grant(int worker, ItemRange items, bool waited, bool stolen);
  [[nodiscard]] std::optional<ItemRange> steal(int worker, Seconds claim_cost);
  bool count(int worker, std::span<ItemRange const> done, Seconds taken, Seconds claim);
  void wait(Lock& lock);
  void wake_if(bool wake);

  Bag const& bag_;
  ItemRunner& runner_;
  TeamLayout const& layout_;
  bool steals_;
  SpeedTable& speeds_;
  WorkerBoard& board_;
  TeamClock const& clock_;
  std::vector<WorkerView> views_;  // of the thief at work

  mutable std::mutex mutex_;  // of what follows, the speeds and the views
  std::unique_ptr<TeamCondition> changed_;
  std::int64_t wakes_{};  // how often waiting workers were told to ask again
  ClaimMachine machine_;
};

}  // namespace makespan::bag
