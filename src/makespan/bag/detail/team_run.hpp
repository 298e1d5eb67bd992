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
#include "makespan/bag/detail/gang.hpp"
#include "makespan/bag/item_runner.hpp"
#include "makespan/bag/protocol/bag.hpp"
#include "makespan/bag/protocol/overdue_watch.hpp"
#include "makespan/bag/protocol/range_word.hpp"
#include "makespan/bag/team_clock.hpp"
#include "makespan/bag/team_job.hpp"
#include "makespan/bag/team_layout.hpp"
#include "makespan/bag/team_report.hpp"
#include "makespan/bag/team_state.hpp"
#include "makespan/bag/worker_board.hpp"
#include "makespan/base/quantity.hpp"
#include "makespan/trace/trace.hpp"

namespace makespan::bag {

// The team that does it.
struct TeamParts {
  TeamLayout const& layout;
  std::vector<Injection> const& injections;
  OverdueRule const& overdue;
  TeamState& state;
  TeamClock const& clock;
};

// Used by DeviceTeam. Every function may be called from any thread, but look_for_overdue(): one
// thread calls it.
class TeamRun {
 public:
  // Keeps references. `board` is the one that `source` puts grants on.
  TeamRun(TeamJob const& job, ClaimSource& source, WorkerBoard& board, TeamParts const& team);

  // What `thread` does in this run. Blocks until nothing is left for it to do. Never throws:
  // error() tells. False if it was left behind meanwhile: then it used nothing of the team and of
  // the job any more after the runner's function had returned.
  bool take_part(int thread) noexcept;

  // Looks at what threads are at. Reports pieces that are overdue, and lets others run them if that
  // is the rule. Leaves behind threads that are lost: the run ends without them. `passed` since the
  // last look. How many it left behind now. What the runner or others throw ends the run.
  int look_for_overdue(Seconds passed) noexcept;
  [[nodiscard]] bool is_left_behind(int thread) const {
    return at_[static_cast<std::size_t>(thread)].piece == left_behind;
  }

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

  // What a thread is at, as others see it.
  struct alignas(64) AtPiece {
    std::atomic<std::uint64_t> piece{0};  // a RangeWord; 0: none of the runner's functions
  };
  static constexpr std::uint64_t left_behind = ~std::uint64_t{0};
  struct LeftBehind {};  // what it throws then

  // A chunk on its way through a worker.
  struct Chunk {
    std::vector<ItemRange> done;  // and not reported yet
    Clock::time_point told;
    Seconds claim;
    Speed speed;
  };

  void run_claims(int thread);
  void trace_claim(int thread, Clock::time_point asked, Clock::time_point begin,
                   Grant const& grant);
  void run_chunk(int thread, Chunk& chunk);
  std::exception_ptr tell_and_give_back(int worker, Chunk& chunk) noexcept;
  void run_alone(int thread, Chunk& chunk);
  void run_together(int thread, Chunk& chunk);
  void help(int thread);
  void run_pieces_of(Gang& gang, int thread);
  void run_piece(int thread, ItemRange piece);
  TaskId run_items(int thread, ItemRange piece);
  template <class Function>
  void while_at(int thread, ItemRange piece, Function const& function);
  void come_back(int thread);
  void hang_where_injected(int thread, ItemRange piece);
  [[nodiscard]] Seconds predicted(int thread, ItemRange piece) const;
  bool look_at(int thread, Seconds passed);
  void act_on(OverduePiece const& piece);
  void give_up(int thread);
  void forget_results(int worker);
  [[nodiscard]] bool has_thread_left(int device) const;
  void fail_lost_device(int device, OverduePiece const& piece);
  void tell(int worker, Chunk& chunk, Clock::time_point now);
  void fail_where_injected(int device, ItemRange piece) const;
  [[nodiscard]] double slowness(int device, ItemRange piece) const;
  [[nodiscard]] std::int64_t piece_items(int worker, Speed speed, ItemRange left) const;
  [[nodiscard]] bool ends_early(int thread) const;
  void fail_device(int device, std::exception_ptr const& why);
  void fail_run(std::exception_ptr const& why);
  [[nodiscard]] Gang* gang(int thread) const {
    return gangs_[static_cast<std::size_t>(layout_.role(thread).device)].get();
  }
  Account& account(int thread) { return accounts_[static_cast<std::size_t>(thread)]; }
  [[nodiscard]] int claiming_thread(int thread) const {
    return layout_.claiming_thread(layout_.role(thread).worker);
  }

  Bag const& bag_;
  ItemRunner& runner_;
  std::stop_token stop_;
  TeamLayout const& layout_;
  std::vector<Injection> const& injections_;
  TeamState& state_;
  TeamClock const& clock_;
  trace::Trace* trace_;  // null: no trace is recorded
  ClaimSource& source_;
  WorkerBoard& board_;
  std::vector<std::unique_ptr<Gang>> gangs_;  // by device; null where threads claim for themselves
  std::vector<Account> accounts_;             // by thread
  std::vector<AtPiece> at_;                   // likewise
  Clock::time_point begin_;
  std::vector<std::atomic<bool>> has_hung_;  // by injection

  // Of the thread that looks.
  OverdueRule const& rule_;
  bool leaves_behind_;  // threads that are lost; all may read it
  OverdueWatch watch_;
  std::vector<OverduePiece> overdue_;

  // Set once, and looked at between two pieces: all that depends on them is when a thread stops.
  std::atomic<bool> is_halted_{false};
  std::vector<std::atomic<bool>> has_failed_;  // by device

  std::mutex mutex_;          // of what follows
  std::exception_ptr error_;  // the first
};

// Others see what the thread is at, and may leave it behind there.
template <class Function>
void TeamRun::while_at(int thread, ItemRange piece, Function const& function) {
  // Release: who leaves this thread behind reads the word by acquire, and then reports what the
  // thread has written to its account before.
  at_[static_cast<std::size_t>(thread)].piece.store(RangeWord::of(piece).bits(),
                                                    std::memory_order_release);
  try {
    function();
  } catch (...) {
    come_back(thread);
    throw;
  }
  come_back(thread);
}

}  // namespace makespan::bag
