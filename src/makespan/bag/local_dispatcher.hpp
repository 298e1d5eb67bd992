// SPDX-License-Identifier: Apache-2.0
#pragma once

// Hands a bag out to the workers of one process: the pure ClaimMachine under a mutex, and tail
// stealing over a board.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "makespan/bag/dispatcher.hpp"
#include "makespan/bag/protocol/bag.hpp"
#include "makespan/bag/protocol/claim_machine.hpp"
#include "makespan/bag/protocol/mode.hpp"
#include "makespan/bag/team_state.hpp"
#include "makespan/bag/worker_board.hpp"
#include "makespan/base/quantity.hpp"

namespace makespan::bag {

// Every function may be called from any thread, for different workers at once. Tested through
// tests/bag/device_team_test.cpp.
class LocalDispatcher {
 public:
  // Keeps references; there are as many workers as the state has speeds. Its policy and speeds are
  // touched from here on by this alone.
  LocalDispatcher(Bag const& bag, std::vector<Mode> const& modes, Dispatcher dispatcher,
                  TeamState& state, WorkerBoard& board);

  // Puts what the worker is to run on the board. Blocks while nothing is free but may be; nothing
  // when nothing will be. Where tails are stolen, one that waits looks again every half
  // millisecond.
  struct Grant {
    ItemRange items;
    Speed speed{};  // of the worker, as known; 0 if it is not
    bool waited{};  // before it was granted
    bool stolen{};
  };
  std::optional<Grant> claim(int worker, Seconds claim_cost);

  // The worker has finished the first part of what it holds.
  void finish(int worker, ItemRange done, Seconds taken, Seconds claim);

  // What the worker holds goes back to be claimed by others.
  void give_back(int worker);

  // Nobody claims any more, and nobody waits.
  void stop();

  [[nodiscard]] bool complete() const;
  [[nodiscard]] std::int64_t claims() const;
  [[nodiscard]] std::int64_t steals() const;

 private:
  using Lock = std::unique_lock<std::mutex>;

  // All with the mutex held.
  Grant grant(int worker, ItemRange items, bool waited, bool stolen);
  [[nodiscard]] std::optional<ItemRange> steal(int worker, Seconds claim_cost);
  void wait(Lock& lock);
  void wake_if(bool wake);

  Bag const& bag_;
  std::vector<Mode> modes_;  // by worker
  bool steals_;
  SpeedTable& speeds_;
  WorkerBoard& board_;
  std::vector<WorkerView> views_;  // of the thief at work

  mutable std::mutex mutex_;  // of what follows, the speeds and the views
  std::condition_variable changed_;
  std::int64_t wakes_{};  // how often those who wait were told to ask again
  ClaimMachine machine_;
};

}  // namespace makespan::bag
