// SPDX-License-Identifier: Apache-2.0
#pragma once

// A team of threads that works on bags: each thread claims items, runs them, and comes back for
// more.
//
// The threads stay between bags, asleep, and the team keeps what it has learned of their speeds, so
// that the second bag needs no learning phase. All decisions are those of the pure ClaimMachine;
// the team adds threads, a mutex and a clock.

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "makespan/bag/item_runner.hpp"
#include "makespan/bag/policy/chunk_policy.hpp"
#include "makespan/bag/protocol/bag.hpp"
#include "makespan/bag/protocol/mode.hpp"
#include "makespan/bag/protocol/speed_table.hpp"
#include "makespan/bag/team_report.hpp"
#include "makespan/base/quantity.hpp"

namespace makespan::bag {

enum class Pinning {
  none,   // the operating system places the threads
  cores,  // each thread on a core of its own, if there are enough in the process's affinity mask;
          // else as `none`
};

struct TeamOptions {
  int threads{0};  // 0: one for each core in the process's affinity mask
  Mode mode{Mode::automatic};
  std::string policy{"equal_time"};  // a name of policy_registry.hpp
  PolicyOptions policy_options{};
  Pinning pinning{Pinning::none};
};

// Tested by tests/bag/cpu_team_test.cpp, also under the thread sanitizer. Cost of a claim:
// bench/bag/claim_bench.cpp.
class CpuTeam {
 public:
  // Starts the threads. Throws InputError on options that make no sense.
  explicit CpuTeam(TeamOptions const& options);
  CpuTeam(CpuTeam const&) = delete;
  CpuTeam& operator=(CpuTeam const&) = delete;
  ~CpuTeam();

  // Runs every item of the bag once.
  //
  // Blocks until every item is done, or until `stop` was asked or an item threw, and then until the
  // calls of ItemRunner::run that were under way have returned. Callable from any thread that is
  // none of the team's, one call at a time. Throws the first exception that an item threw; nothing
  // is claimed after it.
  TeamReport run(Bag const& bag, ItemRunner& runner, std::stop_token const& stop);

  [[nodiscard]] int threads() const { return speeds_.workers(); }

 private:
  struct Run;  // one call of run()

  // All but the first are called with the mutex held.
  void work(std::stop_token const& team_ends, int worker);
  void take_part(Run& run, int worker, std::unique_lock<std::mutex>& lock);
  void run_claims(Run& run, int worker, std::unique_lock<std::mutex>& lock);
  void halt(Run& run);
  void wake_workers(Run& run);
  void learn_claim_cost(int worker, Seconds sample);

  Mode mode_;
  // While a run is on, these are touched under the mutex only.
  std::unique_ptr<ChunkPolicy> policy_;
  SpeedTable speeds_;
  std::vector<Seconds> claim_costs_;  // by worker

  std::mutex mutex_;
  std::condition_variable_any workers_wake_;  // there is a run to join, or to ask again in
  std::condition_variable_any caller_wakes_;  // the run is over
  Run* run_{};                                // under the mutex; null when there is none

  // Begun so far, under the mutex: tells a thread that a run is not the one that it has left.
  std::int64_t runs_{};

  std::vector<std::jthread> threads_;  // last, so that they end before what they use
};

}  // namespace makespan::bag
