// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a worker reaches the tracker: on image 0 it is in the same process, elsewhere it is called.

#include <span>

#include "makespan/bag/policy/chunk_policy.hpp"
#include "makespan/bag/protocol/claim_event.hpp"
#include "makespan/bag/protocol/item_range.hpp"

namespace makespan::bag {

// The thread that called DeviceTeam::run(), in place of one of the team's.
inline constexpr int callers_thread = -1;

// What one worker tells and asks. `thread` is the team's thread that calls: that of the worker. All
// functions block until the tracker has answered, but finish() and end_chunk().
class CompletionService {
 public:
  virtual ~CompletionService() = default;

  // All that was finished before is there when it is answered.
  virtual ClaimActions ask(int thread, WorkerFacts const& worker) = 0;
  virtual bool may_steal(int thread, int worker, int victim) = 0;
  virtual bool may_use_pool(int thread, int worker) = 0;
  virtual void retire(int thread, int worker) = 0;
  // These two are called by callers_thread. Others may run what the worker holds, too.
  virtual void take_back(int worker) = 0;
  // The worker is retired, and what `lost`, its thread, has told and is not there yet does not
  // count, in this bag or a later one.
  virtual void give_up(int lost, int worker) = 0;
  virtual void end_chunk(int thread, ChunkReport const& report) = 0;

  // Tells that items are finished, with their results. Those are what the team's threads
  // `first_thread` on, `threads` of them, have got since the last call.
  virtual void finish(int thread, int first_thread, int threads,
                      std::span<ItemRange const> items) = 0;
  // Until all that the thread has told is there: what comes later would be taken for the next
  // bag's.
  virtual void settle(int thread) = 0;
};

}  // namespace makespan::bag
