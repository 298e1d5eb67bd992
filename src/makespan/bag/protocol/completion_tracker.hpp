// SPDX-License-Identifier: Apache-2.0
#pragma once

// What one image keeps of a bag that workers of several images claim from: which items are
// finished, which workers still work, and which items no worker holds any more.
//
//   1. Workers claim by themselves, from a cursor that all can reach, and steal tails from each
//      other. The tracker is told of neither.
//   2. They report what they have finished. The bag is complete when every item is finished.
//   3. A worker that finds nothing asks the tracker. From then on it counts as waiting, until it
//      asks again and gets items, or is allowed to steal from another worker.
//   4. When all remaining workers wait, no worker holds items: those that are not finished were
//      lost with a worker that failed. The tracker hands them out.
//   5. What a retired worker held can still be seen on its board, and in a pool of its node, after
//      the tracker has handed it out again: so a waiting worker asks before it takes from either.
//   6. For a policy that must see every claim, the tracker hands out the whole bag.
//   7. A worker that takes too long counts as one that waits, until it asks again. So two may run
//      the same items, as when an image was taken for lost too early: the second result is refused.
//
// So no record of who holds what has to outlive its holder. Pure: no thread, clock or I/O.

#include <cstdint>
#include <span>
#include <vector>

#include "makespan/bag/policy/chunk_policy.hpp"
#include "makespan/bag/protocol/bag.hpp"
#include "makespan/bag/protocol/claim_event.hpp"
#include "makespan/bag/protocol/detail/finished_items.hpp"
#include "makespan/bag/protocol/item_range.hpp"
#include "makespan/bag/protocol/mode.hpp"

namespace makespan::bag {

// Which part hands out items that are not claimed yet.
enum class FirstClaims {
  by_workers,  // workers claim from the cursor, and ask the tracker once it is at its end
  by_tracker,
};

// Not thread-safe: the driver serialises. Allocates in the constructor, and when workers were lost.
// Tested by tests/bag/protocol/completion_tracker_test.cpp, and between images by tests/bag/image.
class CompletionTracker {
 public:
  // Keeps references. One mode for each worker.
  CompletionTracker(Bag const& bag, std::vector<Mode> modes, ChunkPolicy& policy,
                    FirstClaims first_claims);

  // A worker that holds nothing wants items. `run`: it holds these now. `wait`: there is nothing
  // now; ask again some time later. `leave`: there will be nothing.
  ClaimActions ask(WorkerFacts const& worker);

  // Whether a worker that waits may take another one's tail, or what it has not claimed from its
  // node's pool. Before it takes it: if so, it counts as holding something until it asks again.
  [[nodiscard]] bool may_steal(int worker, int victim);
  [[nodiscard]] bool may_use_pool(int worker);

  // Items of one worker are finished. False, and nothing has changed, if one of them was already:
  // then their results must not count. What of them is not finished will be found to be lost.
  [[nodiscard]] bool finish(std::span<ItemRange const> items);

  // A worker has ended a chunk, of which it had at least one item: for policies that listen. Its
  // step is the one of the worker's last claim here. Expects has_handed_out().
  void end_chunk(ChunkReport report);

  // A worker takes too long: what it holds is looked for as if it had been lost, until the worker
  // asks again.
  void take_back(int worker);

  // A worker will not ask again: it has failed, or its image has. What it reported counts; what it
  // held is lost, or another worker has taken it.
  void retire(int worker);

  // Nothing is handed out from now on.
  void stop() { stopped_ = true; }

  // It has answered `run` before: the policy has begun the loop.
  [[nodiscard]] bool has_handed_out() const { return step_ > 0; }
  [[nodiscard]] bool anyone_waits() const { return waiting_ > 0; }
  [[nodiscard]] bool is_stopped() const { return stopped_; }

  [[nodiscard]] bool complete() const { return finished_.count() == bag_.items(); }
  [[nodiscard]] std::int64_t items_finished() const { return finished_.count(); }
  [[nodiscard]] bool anyone_left() const { return left_ > 0; }

 private:
  enum class State : std::uint8_t { working, waiting, retired };

  [[nodiscard]] ItemRange next_free();
  void find_lost();
  [[nodiscard]] bool goes_to_work(int worker);
  void set(int worker, State state);
  State& state_of(int worker);

  Bag const& bag_;
  std::vector<Mode> modes_;  // by worker
  ChunkPolicy& policy_;
  LoopFacts loop_;

  std::int64_t cursor_;          // of the first claims
  std::vector<ItemRange> lost_;  // to be handed out again, the last first
  std::int64_t step_{};

  FinishedItems finished_;
  std::vector<State> states_;        // by worker
  std::vector<std::int64_t> steps_;  // likewise: of its last claim here
  int left_;
  int waiting_{};
  bool has_found_lost_{};
  bool stopped_{};
};

}  // namespace makespan::bag
