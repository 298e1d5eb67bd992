// SPDX-License-Identifier: Apache-2.0
#pragma once

// What an application gives to a team: how to run some items of one of its tasks.

#include <cstdint>
#include <span>

#include "makespan/bag/protocol/bag.hpp"
#include "makespan/bag/protocol/overdue_watch.hpp"
#include "makespan/base/ids.hpp"

namespace makespan::bag {

class ItemRunner {
 public:
  virtual ~ItemRunner() = default;

  // Runs items item_begin .. item_end-1 of `task` on the team's `thread` (0 .. threads-1); never an
  // empty range.
  //
  // Called at the same time for other ranges, on other threads; never twice at once for one thread,
  // so that memory by thread needs no lock. What came of the items stays with the thread until
  // keep() or drop(). What it throws ends the run and comes out of it, but DeviceFailed: then the
  // device has run nothing of these items, and they run on another.
  virtual void run(int thread, TaskId task, std::int64_t item_begin, std::int64_t item_end) = 0;

  // The same for items of several tasks, each once: a piece of a device whose pieces span tasks
  // (piece_rule.hpp). As it stands, one after the other.
  virtual void run_all(int thread, std::span<TaskItems const> parts) {
    for (auto const& [task, items] : parts) run(thread, task, items.begin, items.end);
  }

  // What `thread` got out of items since the last call of either counts, or does not: others had
  // finished some of them before. Called while it runs none, in the thread that claims for it. A
  // runner may put results in place in run() where nothing is run twice (OverdueRule::run_again is
  // off, and no limit is set).
  virtual void keep(int /*thread*/) {}
  virtual void drop(int /*thread*/) {}

  // `thread` runs no more items of this bag. Called in it, once, also where it has run none; not if
  // it was left behind, or came when the run was over. DeviceTeam::run() waits for it.
  virtual void leave(int /*thread*/) noexcept {}

  // A piece takes far longer than was predicted (protocol/overdue_watch.hpp). Called by the thread
  // that called DeviceTeam::run().
  virtual void on_overdue(OverduePiece const& /*piece*/) {}
};

}  // namespace makespan::bag
