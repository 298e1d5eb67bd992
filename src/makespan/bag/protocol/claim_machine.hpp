// SPDX-License-Identifier: Apache-2.0
#pragma once

// The state machine that hands out a bag: which items are claimed, finished and given back, and
// when all is done.
//
//   1. A worker asks. The chunk policy says how much, the mode says where that ends, and the cursor
//      advances.
//   2. It reports what it has finished, all at once or in parts, and asks again. The policy is told
//      of the chunk when its worker holds nothing any more, less what others took or finished.
//   3. When nothing is left to claim, a worker may take the tail of what another one holds.
//   4. When a worker fails, what it had not finished is handed out again, before anything new.
//   5. The bag is complete when every item has been finished at least once. An item may be run
//      twice, if its worker was given up too early: the second result is dropped.
//
// Pure: no thread, clock or I/O. Threads, processes and a simulator drive the same object with the
// same events.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "makespan/bag/policy/chunk_policy.hpp"
#include "makespan/bag/protocol/bag.hpp"
#include "makespan/bag/protocol/claim_event.hpp"
#include "makespan/bag/protocol/detail/finished_items.hpp"
#include "makespan/bag/protocol/mode.hpp"
#include "makespan/bag/protocol/speed_table.hpp"

namespace makespan::bag {

// Not thread-safe: the driver serialises. Allocates: in the constructor, and when more failed
// ranges wait to be handed out than there are workers. A step takes O(log n) for n tasks, and a
// finish of k items k / 64 more. Tested by tests/bag/protocol/claim_machine_test.cpp,
// claim_machine_random_test.cpp and virtual_time_test.cpp.
class ClaimMachine {
 public:
  // Keeps references to the bag, the policy and the speeds, which it feeds with what Finish tells.
  // There are as many workers as `speeds` has.
  ClaimMachine(Bag const& bag, Mode mode, ChunkPolicy& policy, SpeedTable& speeds);
  // With a mode for each worker.
  ClaimMachine(Bag const& bag, std::vector<Mode> modes, ChunkPolicy& policy, SpeedTable& speeds);

  ClaimActions step(ClaimEvent const& event);

  // Whether none of these items is finished: what came of them counts, and Finish follows; else
  // Drop.
  [[nodiscard]] bool are_new(std::span<ItemRange const> items) const;

  // Every item is finished.
  [[nodiscard]] bool complete() const { return finished_.count() == bag_.items(); }
  [[nodiscard]] std::int64_t items_finished() const { return finished_.count(); }

  // How often `run` was answered.
  [[nodiscard]] std::int64_t claims() const { return claims_; }

  // How often a tail was taken.
  [[nodiscard]] std::int64_t steals() const { return steals_; }

  // What the worker was told to run and has not finished yet.
  [[nodiscard]] ItemRange held(int worker) const;

 private:
  ClaimActions on(Ask const& ask);
  ClaimActions on(Finish const& finish);
  ClaimActions on(Drop const& drop);
  ClaimActions on(Fail const& fail);
  ClaimActions on(Steal const& steal);
  ClaimActions on(Stop const& stop);

  void return_gaps(ItemRange range);
  std::optional<ItemRange> next_free();
  ChunkSize size_for(Ask const& ask);
  void take(int worker, ItemRange items);
  void count(Finish const& finish);
  void tell_policy(int worker);
  ItemRange& held_by(int worker);
  bool wake();

  Bag const& bag_;
  std::vector<Mode> modes_;  // by worker
  ChunkPolicy& policy_;
  SpeedTable& speeds_;

  LoopFacts loop_{};
  std::int64_t step_{};    // claims so far
  std::int64_t cursor_{};  // first item that was never handed out

  std::vector<ItemRange> held_;                 // by worker; empty if it holds nothing
  std::vector<ChunkReport> finished_of_chunk_;  // by worker: so far, of what it held
  std::vector<ItemRange> returned_;  // of failed workers, to be handed out again, the last first
  FinishedItems finished_;
  std::int64_t claims_{};
  std::int64_t steals_{};
  bool anyone_waits_{};
  bool stopped_{};
};

}  // namespace makespan::bag
