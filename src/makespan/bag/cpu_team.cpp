// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/cpu_team.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <optional>
#include <utility>

#include "makespan/bag/affinity.hpp"
#include "makespan/bag/policy/policy_registry.hpp"
#include "makespan/bag/protocol/claim_machine.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"

namespace makespan::bag {

namespace {

using Clock = std::chrono::steady_clock;

// Far above what any machine has, far below what makes the operating system give in.
constexpr int threads_max = 4096;

// Where learning what a claim costs begins: a few times what bench/bag/claim_bench.cpp shows.
constexpr Seconds claim_cost_at_first{1e-6};

Seconds between(Clock::time_point begin, Clock::time_point end) {
  return Seconds{std::chrono::duration<double>(end - begin).count()};
}

SpeedTable empty_speeds(int threads) {
  if (threads < 0 || threads > threads_max) {
    throw InputError("threads = " + std::to_string(threads),
                     "outside 0 .. " + std::to_string(threads_max),
                     "give the count of threads, or 0 for one on each core");
  }
  return SpeedTable(threads > 0 ? threads : static_cast<int>(allowed_cores().size()));
}

}  // namespace

struct CpuTeam::Run {
  Run(Bag const& bag_to_run, ItemRunner& item_runner, std::stop_token stop_token,
      ClaimMachine claim_machine, int workers)
      : bag(bag_to_run),
        runner(item_runner),
        stop(std::move(stop_token)),
        machine(std::move(claim_machine)),
        busy(static_cast<std::size_t>(workers)),
        work(static_cast<std::size_t>(workers)) {}

  // Runs a claim task by task and returns the part that is done, all of it unless the run ends
  // first.
  ItemRange run_items(int worker, ItemRange items);

  // Counts what a worker has done of its claim; the rest, if any, goes back.
  // Asking began at `asked`.
  ClaimActions finish(int worker, ItemRange done, Clock::time_point asked, Clock::time_point began,
                      Clock::time_point ended);

  [[nodiscard]] TeamReport report(SpeedTable const& speeds) const;

  // An item threw, or a stop was asked; the token too is looked at, since the thread that calls its
  // callbacks may lose its core on the way here.
  [[nodiscard]] bool ends_early() const { return halted || stop.stop_requested(); }

  // Nothing will be claimed any more and nobody is at work.
  [[nodiscard]] bool over() const { return inside == 0 && (halted || machine.complete()); }

  Bag const& bag;
  ItemRunner& runner;
  std::stop_token stop;
  ClaimMachine machine;
  std::vector<Seconds> busy;
  std::vector<Work> work;
  Clock::time_point begin{Clock::now()};
  Clock::time_point last_end{begin};
  int inside{};              // threads that take part now
  std::int64_t wakes{};      // how often those who wait were told to ask again
  std::exception_ptr error;  // the first
  // Set under the mutex, read without it between two tasks: all that depends on it is when a thread
  // stops.
  std::atomic<bool> halted{false};
};

ItemRange CpuTeam::Run::run_items(int worker, ItemRange items) {
  ItemRange done{items.begin, items.begin};
  for (std::int64_t segment = bag.segment_of(items.begin); done.end < items.end && !ends_early();
       ++segment) {
    auto const [task, part] = bag.task_items(segment, items);
    runner.run(worker, task, part.begin, part.end);
    done.end += part.items();
  }
  return done;
}

ClaimActions CpuTeam::Run::finish(int worker, ItemRange done, Clock::time_point asked,
                                  Clock::time_point began, Clock::time_point ended) {
  Seconds const taken = between(began, ended);
  busy[static_cast<std::size_t>(worker)] += taken;
  work[static_cast<std::size_t>(worker)] += bag.work_of(done);
  last_end = std::max(last_end, ended);
  ClaimActions const actions = machine.step(Finish{worker, done, taken, between(asked, began)});
  if (!machine.held(worker).empty()) machine.step(Fail{worker});
  return actions;
}

TeamReport CpuTeam::Run::report(SpeedTable const& speeds) const {
  TeamReport report{.busy = busy,
                    .work = work,
                    .makespan = between(begin, last_end),
                    .ideal = {},
                    .work_done = {},
                    .claims = machine.claims(),
                    .complete = machine.complete()};
  Speed together;
  for (int worker = 0; worker < speeds.workers(); ++worker) {
    auto const at = static_cast<std::size_t>(worker);
    report.work_done += work[at];
    together += busy[at] > Seconds{0.0} ? work[at] / busy[at] : speeds.speed(worker);
  }
  if (together > Speed{0.0}) report.ideal = report.work_done / together;
  return report;
}

CpuTeam::CpuTeam(TeamOptions const& options)
    : mode_(options.mode),
      policy_(make_policy(options.policy, options.policy_options)),
      speeds_(empty_speeds(options.threads)),
      claim_costs_(static_cast<std::size_t>(speeds_.workers()), claim_cost_at_first) {
  std::vector<int> const cores = allowed_cores();
  bool const pinned =
      options.pinning == Pinning::cores && speeds_.workers() <= static_cast<int>(cores.size());
  threads_.reserve(static_cast<std::size_t>(threads()));
  for (int worker = 0; worker < threads(); ++worker) {
    std::optional<int> const core =
        pinned ? std::optional(cores[static_cast<std::size_t>(worker)]) : std::nullopt;
    threads_.emplace_back([this, worker, core](std::stop_token const& team_ends) {
      if (core) pin_this_thread(*core);
      work(team_ends, worker);
    });
  }
}

CpuTeam::~CpuTeam() = default;

TeamReport CpuTeam::run(Bag const& bag, ItemRunner& runner, std::stop_token const& stop) {
  Run run(bag, runner, stop, ClaimMachine(bag, mode_, *policy_, speeds_), threads());
  {
    std::stop_callback const halt_on_stop(stop, [this, &run] {
      std::scoped_lock const lock(mutex_);
      halt(run);
      caller_wakes_.notify_one();
    });
    std::unique_lock lock(mutex_);
    MAKESPAN_EXPECT(run_ == nullptr);
    run_ = &run;
    ++runs_;
    workers_wake_.notify_all();
    caller_wakes_.wait(lock, [&run] { return run.over(); });
    run_ = nullptr;
    // The lock goes before the callback, which may be waiting for it.
  }
  if (run.error) std::rethrow_exception(run.error);
  return run.report(speeds_);
}

void CpuTeam::halt(Run& run) {
  run.halted = true;
  run.machine.step(Stop{});
  wake_workers(run);
}

void CpuTeam::wake_workers(Run& run) {
  ++run.wakes;
  workers_wake_.notify_all();
}

void CpuTeam::work(std::stop_token const& team_ends, int worker) {
  std::int64_t last_run = 0;
  std::unique_lock lock(mutex_);
  while (
      workers_wake_.wait(lock, team_ends, [&] { return run_ != nullptr && runs_ != last_run; })) {
    last_run = runs_;
    take_part(*run_, worker, lock);
  }
}

void CpuTeam::take_part(Run& run, int worker, std::unique_lock<std::mutex>& lock) {
  ++run.inside;
  try {
    run_claims(run, worker, lock);
  } catch (...) {
    if (!lock.owns_lock()) lock.lock();
    if (!run.error) run.error = std::current_exception();
    halt(run);
  }
  --run.inside;
  if (run.over()) caller_wakes_.notify_one();
}

void CpuTeam::run_claims(Run& run, int worker, std::unique_lock<std::mutex>& lock) {
  auto const mine = static_cast<std::size_t>(worker);
  auto claim_begin = Clock::now();
  for (;;) {
    if (run.ends_early() && !run.halted) halt(run);
    ClaimActions const answer = run.machine.step(Ask{worker, claim_costs_[mine]});
    if (answer.order == Order::leave) return;
    if (answer.order == Order::wait) {
      workers_wake_.wait(lock, [&run, before = run.wakes] { return run.wakes != before; });
      claim_begin = Clock::now();
      continue;
    }
    lock.unlock();
    auto const begin = Clock::now();
    ItemRange const done = run.run_items(worker, answer.items);
    auto const end = Clock::now();
    lock.lock();
    learn_claim_cost(worker, between(claim_begin, begin));
    bool const wakes = run.finish(worker, done, claim_begin, begin, end).wake;
    claim_begin = end;
    if (wakes) wake_workers(run);
  }
}

// One sample counts a sixteenth and at most double: a thread that lost its core in the middle of a
// claim must not pass for dear claims.
void CpuTeam::learn_claim_cost(int worker, Seconds sample) {
  Seconds& cost = claim_costs_[static_cast<std::size_t>(worker)];
  cost += (std::min(sample, cost * 2.0) - cost) / 16.0;
}

}  // namespace makespan::bag
