// SPDX-License-Identifier: Apache-2.0
#pragma once

// A team of devices that works on bags. Each thread of a device, or each device as one
// (protocol/mode.hpp), is a worker: it claims items, runs them, and comes back for more.
//
// The threads stay between bags, asleep, and the team keeps what it has learned of the workers'
// speeds, so that the second bag needs no learning phase. The first needs none if the options bring
// speeds of an earlier run.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "makespan/bag/item_runner.hpp"
#include "makespan/bag/protocol/bag.hpp"
#include "makespan/bag/team_layout.hpp"
#include "makespan/bag/team_options.hpp"
#include "makespan/bag/team_report.hpp"

namespace makespan::trace {
class Trace;
}

namespace makespan::bag {

class ClaimSource;
class TeamRun;
class WorkerBoard;
struct TeamJob;
struct TeamState;

// Tested by tests/bag/device_team_test.cpp, also under the thread sanitizer. Cost of a claim:
// bench/bag/claim_bench.cpp.
class DeviceTeam {
 public:
  // Starts the threads. Throws InputError on invalid or inconsistent options.
  explicit DeviceTeam(TeamOptions const& options);
  DeviceTeam(DeviceTeam const&) = delete;
  DeviceTeam& operator=(DeviceTeam const&) = delete;
  ~DeviceTeam();

  // Runs every item of the bag once. An item that was under way when its device failed runs again
  // elsewhere.
  //
  // Blocks until every item is done, or until `stop` was asked or an item threw, and then until the
  // calls of ItemRunner::run that were under way have returned. Callable from any thread that is
  // none of the team's, one call at a time. Throws the first exception that an item threw, or, when
  // the last device has failed (device_failed.hpp), what that one threw; nothing is claimed after
  // it. Devices that failed take no part in later runs; with none left they throw DeviceFailed.
  // A thread that is in ItemRunner::run() for longer than the limit (TeamOptions::overdue) is left
  // behind: the run ends without it, and has_left_threads_behind() from then on. Whatever the
  // runner uses must then stay until the process ends.
  // `trace`, if given, has as many threads as the team or more, and gets what each of them did.
  TeamReport run(Bag const& bag, ItemRunner& runner, std::stop_token const& stop,
                 trace::Trace* trace = nullptr);

  // The same with claims from elsewhere: `source` puts them on `board`. `meanwhile`, if there is
  // one, is called in the caller's thread, again and again; it says how long it need not be. What
  // it throws ends the run, and is thrown on when no thread of the team works on it any more.
  using Meanwhile = std::function<std::chrono::microseconds()>;
  TeamReport run(TeamJob const& job, ClaimSource& source, WorkerBoard& board,
                 Meanwhile const& meanwhile = {});

  // A report of a run in which the team did nothing.
  [[nodiscard]] TeamReport idle_report() const;
  // Of the last run, also where that threw; an idle one before the first.
  [[nodiscard]] TeamReport const& last_report() const { return last_; }

  [[nodiscard]] OverdueRule const& overdue_rule() const { return options_.overdue; }
  // Threads that may still be in a runner's function, which the team does not wait for. Callable
  // from any thread.
  [[nodiscard]] bool has_left_threads_behind() const;

  // What the team has learned, and the policy that it claims by. Not to be touched during a run.
  [[nodiscard]] TeamState& state() { return *state_; }
  [[nodiscard]] TeamLayout const& layout() const { return layout_; }

  [[nodiscard]] int threads() const { return layout_.threads(); }
  [[nodiscard]] int devices() const { return layout_.devices(); }
  [[nodiscard]] int device_of(int thread) const { return layout_.role(thread).device; }

 private:
  // What threads and the caller share. A thread that is left behind keeps it, and its run.
  struct Meeting;
  using Lock = std::unique_lock<std::mutex>;

  void keep_report_of(TeamRun const& run);
  void wait_for(TeamRun& run, Lock& lock, Meanwhile const& meanwhile);
  void wait_for_threads(TeamRun& run, Lock& lock);
  void look(TeamRun& run, Lock& lock);
  static void work(Meeting& meeting, std::stop_token const& team_ends, int thread);

  TeamOptions options_;
  TeamLayout layout_;
  std::unique_ptr<TeamState> state_;                // a run's, while one is on
  std::chrono::steady_clock::time_point looked_{};  // at what is overdue
  TeamReport last_{};
  std::shared_ptr<Meeting> meeting_;

  std::vector<std::jthread> threads_;  // last, so that they end before what they use
};

}  // namespace makespan::bag
