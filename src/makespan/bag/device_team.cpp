// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/device_team.hpp"

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <functional>
#include <string>
#include <utility>

#include "makespan/bag/claim_cost.hpp"
#include "makespan/bag/detail/local_dispatcher.hpp"
#include "makespan/bag/detail/team_run.hpp"
#include "makespan/bag/device_failed.hpp"
#include "makespan/bag/policy/policy_registry.hpp"
#include "makespan/bag/team_clock.hpp"
#include "makespan/bag/team_state.hpp"
#include "makespan/bag/worker_board.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/number_text.hpp"
#include "makespan/machine/affinity.hpp"

namespace makespan::bag {

namespace {

// How often the caller looks for what is overdue: short against any useful limit.
constexpr std::chrono::milliseconds look_every{100};

SpeedTable speeds_at_first(std::vector<Speed> const& remembered, int workers) {
  if (!remembered.empty() && std::ssize(remembered) != workers) {
    throw InputError(std::to_string(remembered.size()) + " remembered speeds",
                     "there are " + std::to_string(workers) + " workers",
                     "give one for each, or none");
  }
  SpeedTable speeds(workers);
  for (int worker = 0; worker < static_cast<int>(remembered.size()); ++worker) {
    Speed const speed = remembered[static_cast<std::size_t>(worker)];
    if (!(speed >= Speed{}) || std::isinf(speed.value())) {
      throw InputError(
          "remembered speed " + short_text(speed.value()) + " of worker " + std::to_string(worker),
          "it is a finite number from 0 on", "give 0 where it is not known");
    }
    if (speed > Speed{}) speeds.remember(worker, speed);
  }
  return speeds;
}

TeamState fresh_state(TeamOptions const& options, TeamLayout const& layout) {
  for (Injection const& injection : options.injections) {
    if (injection.device < layout.devices()) continue;
    throw InputError(text_of(injection) + ": device " + std::to_string(injection.device),
                     "there are " + std::to_string(layout.devices()), "count them from 0");
  }
  auto const workers = static_cast<std::size_t>(layout.workers());
  return {.policy = make_policy(options.policy, options.policy_options),
          .speeds = speeds_at_first(options.speeds, layout.workers()),
          .claim_costs = std::vector<Seconds>(workers, claim_cost_at_first),
          .failed = std::vector<bool>(static_cast<std::size_t>(layout.devices()))};
}

}  // namespace

struct DeviceTeam::Meeting {
  SystemClock clock{};  // here, since a thread that is left behind may be about to sleep by it
  std::mutex mutex{};   // of what follows
  std::condition_variable_any threads_wake{};  // there is a run to join
  std::condition_variable_any caller_wakes{};  // the run may be over
  std::shared_ptr<TeamRun> run{};              // null when there is none
  std::int64_t runs{};  // begun so far: tells a thread that a run is not the one that it has left
  int inside{};         // threads that take part now
};

DeviceTeam::DeviceTeam(TeamOptions const& options)
    : options_(with_choices_of_dispatcher(options)),
      layout_(options_.devices),
      state_(std::make_unique<TeamState>(fresh_state(options_, layout_))),
      meeting_(std::make_shared<Meeting>()) {
  expect_valid(options_.overdue);
  last_ = idle_report();
  threads_.reserve(static_cast<std::size_t>(threads()));
  for (int thread = 0; thread < threads(); ++thread) {
    // By value: a thread that is left behind may outlive the team.
    threads_.emplace_back([meeting = meeting_, core = layout_.role(thread).core,
                           thread](std::stop_token const& team_ends) {
      if (core) machine::pin_this_thread(*core);
      work(*meeting, team_ends, thread);
    });
  }
}

// One that is left behind may never end; it uses nothing of the team any more.
DeviceTeam::~DeviceTeam() {
  for (int thread = 0; thread < threads(); ++thread) {
    if (state_->is_lost(thread)) threads_[static_cast<std::size_t>(thread)].detach();
  }
}

bool DeviceTeam::has_left_threads_behind() const {
  std::scoped_lock const lock(meeting_->mutex);
  return std::ranges::find(state_->lost, true) != state_->lost.end();
}

TeamReport DeviceTeam::run(Bag const& bag, ItemRunner& runner, std::stop_token const& stop,
                           trace::Trace* trace) {
  WorkerBoard board(layout_.workers());
  LocalDispatcher dispatcher(bag, runner, layout_, options_.dispatcher,
                             {.state = *state_, .board = board, .clock = meeting_->clock});
  return run({.bag = bag, .runner = runner, .stop = stop, .trace = trace}, dispatcher, board);
}

TeamReport DeviceTeam::run(TeamJob const& job, ClaimSource& source, WorkerBoard& board,
                           Meanwhile const& meanwhile) {
  MAKESPAN_EXPECT(job.trace == nullptr || job.trace->threads() >= threads());
  last_ = idle_report();
  if (std::ranges::all_of(state_->failed, std::identity{})) {
    throw DeviceFailed("every device of the team has failed in an earlier run");
  }
  // Shared: a thread that is left behind comes back to it, however much later.
  auto const run = std::make_shared<TeamRun>(job, source, board,
                                             TeamParts{.layout = layout_,
                                                       .injections = options_.injections,
                                                       .overdue = options_.overdue,
                                                       .state = *state_,
                                                       .clock = meeting_->clock});
  Meeting& meeting = *meeting_;
  {
    // Before the lock is taken: where a stop was asked for before, it is called right here, and
    // takes it.
    std::stop_callback const halt_on_stop(job.stop, [&meeting, &run] {
      run->halt();
      std::scoped_lock const lock(meeting.mutex);
      meeting.caller_wakes.notify_one();
    });
    Lock lock(meeting.mutex);
    MAKESPAN_EXPECT(meeting.run == nullptr);
    meeting.run = run;
    ++meeting.runs;
    meeting.threads_wake.notify_all();
    looked_ = meeting_->clock.now();
    try {
      wait_for(*run, lock, meanwhile);
    } catch (...) {
      wait_for_threads(*run, lock);
      meeting.run.reset();
      keep_report_of(*run);
      throw;
    }
    meeting.run.reset();
    // The lock goes before the callback, which may be waiting for it.
  }
  keep_report_of(*run);
  if (run->error()) std::rethrow_exception(run->error());
  return last_;
}

void DeviceTeam::keep_report_of(TeamRun const& run) {
  last_ = run.report();
  for (int const device : last_.failed_devices) {
    state_->failed[static_cast<std::size_t>(device)] = true;
  }
}

TeamReport DeviceTeam::idle_report() const {
  TeamReport report;
  report.busy.resize(static_cast<std::size_t>(threads()));
  report.work.resize(static_cast<std::size_t>(threads()));
  for (int device = 0; device < devices(); ++device) {
    if (state_->failed[static_cast<std::size_t>(device)]) report.failed_devices.push_back(device);
  }
  return report;
}

void DeviceTeam::wait_for(TeamRun& run, Lock& lock, Meanwhile const& meanwhile) {
  // Threads that have not woken yet are not waited for: they find no run any more.
  auto const is_over = [&] { return meeting_->inside == 0 && run.is_over(); };
  while (!is_over()) {
    std::chrono::microseconds pause = look_every;
    if (meanwhile) {
      lock.unlock();
      // Without the lock: a message that it takes in may stop the run, and the callback of a stop
      // takes the lock.
      pause = std::min(meanwhile(), pause);
      lock.lock();
    }
    if (!meeting_->caller_wakes.wait_for(lock, pause, is_over)) look(run, lock);
  }
}

// What they use is about to go.
void DeviceTeam::wait_for_threads(TeamRun& run, Lock& lock) {
  // meanwhile() throws without it, and everything else with it.
  if (lock.owns_lock()) lock.unlock();
  run.halt();
  lock.lock();
  auto const is_empty = [this] { return meeting_->inside == 0; };
  while (!meeting_->caller_wakes.wait_for(lock, look_every, is_empty)) look(run, lock);
}

void DeviceTeam::look(TeamRun& run, Lock& lock) {
  auto const now = meeting_->clock.now();
  // A caller with something to do meanwhile comes here more often.
  if (now - looked_ < look_every) return;
  Seconds const passed{std::chrono::duration<double>(now - looked_).count()};
  looked_ = now;
  lock.unlock();
  // Without the lock: the runner is told of what is overdue, and threads must be able to leave.
  int const left = run.look_for_overdue(passed);
  lock.lock();
  if (left == 0) return;
  meeting_->inside -= left;
  state_->lost.resize(static_cast<std::size_t>(threads()));
  for (int thread = 0; thread < threads(); ++thread) {
    if (run.is_left_behind(thread)) state_->lost[static_cast<std::size_t>(thread)] = true;
  }
}

void DeviceTeam::work(Meeting& meeting, std::stop_token const& team_ends, int thread) {
  std::int64_t last_run = 0;
  Lock lock(meeting.mutex);
  while (meeting.threads_wake.wait(
      lock, team_ends, [&] { return meeting.run != nullptr && meeting.runs != last_run; })) {
    last_run = meeting.runs;
    auto const run = meeting.run;
    ++meeting.inside;
    lock.unlock();
    // Left behind: look() has taken it off the count, and the team may be gone.
    if (!run->take_part(thread)) return;
    lock.lock();
    if (--meeting.inside == 0) meeting.caller_wakes.notify_one();
  }
}

}  // namespace makespan::bag
