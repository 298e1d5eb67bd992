// SPDX-License-Identifier: Apache-2.0
// Prices a book on a team of devices, in the background.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "makespan/apps/asian/contract/contract_book.hpp"
#include "makespan/apps/asian/run/pricing_settings.hpp"
#include "makespan/apps/asian/run/result_book.hpp"
#include "makespan/bag/protocol/bag.hpp"
#include "makespan/base/quantity.hpp"
#include "makespan/trace/trace.hpp"

namespace makespan::asian {

class PricingTeam;

struct RunProgress {
  bool done;        // finished, cancelled or failed: nothing runs any more
  Work work_done;   // in path-steps
  Work work_total;  // what it will be by the present prediction
  std::int64_t rows_finished;
  std::int64_t path_steps;  // simulated so far: paths times steps
  Seconds elapsed;          // since the start
};

// A piece of work that took far longer than was predicted (bag/protocol/overdue_watch.hpp).
struct OverdueNote {
  std::string device;  // as in the list of devices
  int image{};
  std::int64_t row{};   // of the book: the first of the piece
  Seconds at_it{};      // so far
  Seconds predicted{};  // 0: nothing was known
  bool is_lost{};       // its thread is not waited for any more
};

// What one device did.
struct DeviceSummary {
  std::string name;  // as in the list of devices
  std::string isa;
  std::string mode;
  int image{};
  int first_thread{};  // of the threads of all images
  int threads{};
  Seconds busy{};  // of all its threads
  Work work{};     // in path-steps
  bool failed{};
  int lost_threads{};
  bool remembered{};  // the speeds of its workers were, when the team began
};

struct RunSummary {
  std::string isa;  // of the first device
  int threads;      // of all devices
  int images;
  std::vector<DeviceSummary> devices;
  std::vector<OverdueNote> overdue;
  Seconds wall;
  std::vector<Seconds> busy;  // by thread
  std::int64_t path_steps;
  Seconds makespan;  // of all rounds
  Seconds ideal;     // what they would have taken had no thread waited
  std::int64_t claims;
  std::int64_t steals;
  int rounds;  // bags that the book was cut into
  int philox_rounds;
  std::int64_t rows_fp64;  // rows whose paths were in double precision
  bool complete;
};

// A book on its way. Options are cut into blocks of samples, the blocks of all options form a bag
// (makespan/bag), and an option whose error is not yet small enough has more blocks in the next
// bag. Results do not depend on threads, mode, policy or instruction set.
//
// All functions may be called from any thread.
class PricingRun {
 public:
  // Starts and returns. Throws InputError if the book or the settings cannot be priced; nothing
  // runs then. The columns of `book` must outlive the run.
  // With a team the devices of all its images take part, of which this is image 0: it is the
  // team's that count, not those of `settings`; the team must outlive the run, and has one run at a
  // time.
  PricingRun(ContractBook const& book, PricingSettings const& settings,
             PricingTeam* team = nullptr);
  PricingRun(PricingRun const&) = delete;
  PricingRun& operator=(PricingRun const&) = delete;
  // Cancels and waits for the blocks under way, but not for threads that were left behind: what
  // they use, the columns among it, must then stay until the process ends.
  ~PricingRun();
  [[nodiscard]] bool has_left_threads_behind() const;

  // Blocks until the run is done or `timeout` has passed, whichever is first; a year at most. What
  // is no time, negative or no number, is 0.
  RunProgress wait_for(std::chrono::duration<double> timeout);
  // Rows finished since the last call, in any order. Their results will not change any more.
  std::vector<std::int64_t> take_finished();
  // Pieces of this image that were found overdue since the last call.
  std::vector<OverdueNote> take_overdue();
  // Results; those of rows that take_finished() has returned may be read while the run goes on.
  [[nodiscard]] ResultBook const& results() const;
  // Asks the threads to stop after the blocks under way (milliseconds). Does not wait.
  void cancel();
  // Blocks until the run is done. Throws what a thread threw.
  RunSummary summary();
  // Likewise; what the workers of this image have shown, for the settings of another run.
  SpeedByKind speeds();
  // Once the run is done: what each thread of all images did, by the clock of this one, and the
  // moment that its times are counted from.
  // Null if settings did not ask for it. Tasks are rows of the book.
  struct Timeline {
    trace::Trace const* trace;
    trace::Clock::time_point begin;
  };
  [[nodiscard]] Timeline timeline() const;
  // Likewise, the bags that it ran, one after the other; none if settings did not ask for a trace.
  struct Round {
    trace::Clock::time_point begin;
    trace::Clock::time_point end;
    std::vector<bag::Segment> segments;  // tasks are rows, costs in path-steps
  };
  [[nodiscard]] std::vector<Round> const& rounds() const;

 private:
  class Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace makespan::asian
