// SPDX-License-Identifier: Apache-2.0
#pragma once

// The threads of a device that claims as one (modes mt and mth): how they divide its chunk.
//
// The chunk is run window by window; none begins before the one before it is finished. In mode mt a
// window is one task, divided among all threads. In mode mth it is as many whole tasks as the
// threads have at once, one on each, and what remains in the end is run as in mt.

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "makespan/bag/protocol/bag.hpp"
#include "makespan/bag/protocol/item_range.hpp"
#include "makespan/bag/protocol/mode.hpp"
#include "makespan/bag/team_clock.hpp"
#include "makespan/bag/worker_board.hpp"

namespace makespan::bag {

// One thread leads: it claims, begin()s and end()s. The others wait for its chunks. Tested through
// tests/bag/device_team_test.cpp.
class Gang {
 public:
  // Keeps references.
  Gang(Bag const& bag, WorkerBoard& board, int worker, int threads, Mode mode,
       TeamClock const& clock)
      : bag_(bag),
        board_(board),
        worker_(worker),
        threads_(threads),
        mode_(mode),
        clock_(clock),
        changed_(clock.make_condition()) {}

  // Of the leader: a chunk that begins at `item` is on the board.
  void begin(std::int64_t item);

  // The next piece, part of one task, for the thread that asks. Blocks while one may come; empty
  // when the chunk is through or the gang was stopped.
  ItemRange next();
  void finished(ItemRange piece);
  // The piece will not be.
  void abandoned();

  // Of the leader, after next() was empty: blocks until no piece is under way, but those of threads
  // that will not come back. What is done of the chunk: its first part, and, when the gang was
  // stopped, pieces behind that. Nothing once it is forsaken.
  [[nodiscard]] std::vector<ItemRange> end();

  // Of the others: blocks until the chunk after the `seen`-th begins, whose number it returns; 0
  // when there will be none.
  std::int64_t wait_for_chunk(std::int64_t seen);

  // No further piece is handed out, in this chunk or another.
  void stop();
  [[nodiscard]] bool is_stopped() const;
  // A thread that is at a piece will not come back: end() waits for it no more, and nothing of the
  // chunk counts.
  void forsake();
  [[nodiscard]] bool is_forsaken() const;
  // No further chunk comes.
  void shut_down();

 private:
  // With the mutex held.
  bool open_window();
  [[nodiscard]] std::int64_t piece_items(ItemRange left) const;

  Bag const& bag_;
  WorkerBoard& board_;
  int worker_;
  int threads_;
  Mode mode_;
  TeamClock const& clock_;

  mutable std::mutex mutex_;  // of what follows
  std::unique_ptr<TeamCondition> changed_;
  std::int64_t chunks_{};  // begun so far
  ItemRange window_{};     // not handed out yet of what may be
  bool whole_tasks_{};     // in this window
  std::int64_t piece_max_{1};
  ItemRange done_{};               // of the chunk, from its beginning to the window
  std::vector<ItemRange> pieces_;  // finished in the window
  int under_way_{};
  bool is_open_{};  // between begin() and end()
  bool is_stopped_{};
  int forsaken_{};  // threads that will not come back
  bool is_shut_down_{};
};

}  // namespace makespan::bag
