// SPDX-License-Identifier: Apache-2.0
#pragma once

// One bag on a team's threads, from the first claim to the last.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

#include "makespan/bag/claim_source.hpp"
#include "makespan/bag/gang.hpp"
#include "makespan/bag/item_runner.hpp"
#include "makespan/bag/protocol/bag.hpp"
#include "makespan/bag/team_clock.hpp"
#include "makespan/bag/team_layout.hpp"
#include "makespan/bag/team_report.hpp"
#include "makespan/bag/team_state.hpp"
#include "makespan/bag/worker_board.hpp"
#include "makespan/base/quantity.hpp"
#include "makespan/trace/trace.hpp"

namespace makespan::bag {

// What a team is to do.
struct TeamJob {
  Bag const& bag;
  ItemRunner& runner;
  std::stop_token stop;
  trace::Trace* trace{};  // of its first threads; null: nobody wants to know
};

// The team that does it.
struct TeamParts {
  TeamLayout const& layout;
  std::vector<Injection> const& injections;
  TeamState& state;
  TeamClock const& clock;
};

// Used by DeviceTeam. Every function may be called from any thread.
class TeamRun {
 public:
  // Keeps references. `board` is the one that `source` puts grants on.
  TeamRun(TeamJob const& job, ClaimSource& source, WorkerBoard& board, TeamParts const& team);

  // What `thread` does in this run. Blocks until nothing is left for it to do. Never throws:
  // error() tells.
  void take_part(int thread) noexcept;

  // Nothing is claimed any more, and pieces under way are the last.
  void halt();

  // Nothing will be claimed any more: all is finished, or the run was halted.
  [[nodiscard]] bool is_over() const { return is_halted_ || source_.complete(); }

  // Once no thread takes part any more.
  [[nodiscard]] std::exception_ptr error() const { return error_; }
  [[nodiscard]] TeamReport report() const;

 private:
  using Clock = WorkerBoard::Clock;

  // What a thread did.
  struct alignas(64) Account {
    Seconds busy;
    Work work;
    Clock::time_point last_end{};
    std::vector<TaskItems> parts{};  // of the piece at hand, if it spans tasks
  };

  // A chunk on its way through a worker.
  struct Chunk {
    std::vector<ItemRange> done;  // and not told of yet
    Clock::time_point told;
    Seconds claim;
    Speed speed;
  };

  void run_claims(int thread);
  void trace_claim(int thread, Clock::time_point asked, Clock::time_point begin,
                   Grant const& grant);
  void run_chunk(int thread, Chunk& chunk);
  void run_alone(int thread, Chunk& chunk);
  void run_together(int thread, Chunk& chunk);
  void help(int thread);
  void run_pieces_of(Gang& gang, int thread);
  void run_piece(int thread, ItemRange piece);
  TaskId run_items(int thread, ItemRange piece);
  void tell(int worker, Chunk& chunk, Clock::time_point now);
  void fail_where_injected(int device, ItemRange piece) const;
  [[nodiscard]] double slowness(int device, ItemRange piece) const;
  [[nodiscard]] std::int64_t piece_items(int worker, Speed speed, ItemRange left) const;
  [[nodiscard]] bool ends_early(int thread) const;
  void fail_device(int device, std::exception_ptr const& why);
  void fail_run(std::exception_ptr const& why);
  [[nodiscard]] Gang* gang(int thread) const {
    return gangs_[static_cast<std::size_t>(layout_.place(thread).device)].get();
  }
  Account& account(int thread) { return accounts_[static_cast<std::size_t>(thread)]; }

  Bag const& bag_;
  ItemRunner& runner_;
  std::stop_token stop_;
  TeamLayout const& layout_;
  std::vector<Injection> const& injections_;
  TeamState& state_;
  TeamClock const& clock_;
  trace::Trace* trace_;  // null: nobody wants to know
  ClaimSource& source_;
  WorkerBoard& board_;
  std::vector<std::unique_ptr<Gang>> gangs_;  // by device; null where threads claim for themselves
  std::vector<Account> accounts_;             // by thread
  Clock::time_point begin_;

  // Set once, and looked at between two pieces: all that depends on them is when a thread stops.
  std::atomic<bool> is_halted_{false};
  std::vector<std::atomic<bool>> has_failed_;  // by device

  std::mutex mutex_;          // of what follows
  std::exception_ptr error_;  // the first
};

}  // namespace makespan::bag
