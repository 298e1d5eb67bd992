// SPDX-License-Identifier: Apache-2.0
#pragma once

// A team of devices that works on bags. Each thread of a device, or each device as one
// (protocol/mode.hpp), is a worker: it claims items, runs them, and comes back for more.
//
// The threads stay between bags, asleep, and the team keeps what it has learned of the workers'
// speeds, so that the second bag needs no learning phase. The first needs none if the options bring
// speeds of an earlier run.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "makespan/bag/claim_source.hpp"
#include "makespan/bag/item_runner.hpp"
#include "makespan/bag/protocol/bag.hpp"
#include "makespan/bag/team_clock.hpp"
#include "makespan/bag/team_layout.hpp"
#include "makespan/bag/team_options.hpp"
#include "makespan/bag/team_report.hpp"
#include "makespan/bag/team_run.hpp"
#include "makespan/bag/team_state.hpp"
#include "makespan/trace/trace.hpp"

namespace makespan::bag {

// Tested by tests/bag/device_team_test.cpp, also under the thread sanitizer. Cost of a claim:
// bench/bag/claim_bench.cpp.
class DeviceTeam {
 public:
  // Starts the threads. Throws InputError on options that make no sense.
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

  // What the team has learned, and the policy that it claims by. Not to be touched during a run.
  [[nodiscard]] TeamState& state() { return state_; }
  [[nodiscard]] TeamLayout const& layout() const { return layout_; }

  [[nodiscard]] int threads() const { return layout_.threads(); }
  [[nodiscard]] int devices() const { return layout_.devices(); }
  [[nodiscard]] int device_of(int thread) const { return layout_.place(thread).device; }

 private:
  void wait_for(TeamRun& run, std::unique_lock<std::mutex>& lock, Meanwhile const& meanwhile);
  void wait_for_threads(TeamRun& run, std::unique_lock<std::mutex>& lock);
  void work(std::stop_token const& team_ends, int thread);

  TeamOptions options_;
  TeamLayout layout_;
  TeamState state_;  // a run's, while one is on
  SystemClock clock_{};

  std::mutex mutex_;                          // of what follows
  std::condition_variable_any threads_wake_;  // there is a run to join
  std::condition_variable_any caller_wakes_;  // the run may be over
  TeamRun* run_{};                            // null when there is none
  std::int64_t runs_{};  // begun so far: tells a thread that a run is not the one that it has left
  int inside_{};         // threads that take part now

  std::vector<std::jthread> threads_;  // last, so that they end before what they use
};

}  // namespace makespan::bag
