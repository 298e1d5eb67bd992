// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/device_team.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "makespan/bag/claim_cost.hpp"
#include "makespan/bag/device_failed.hpp"
#include "makespan/bag/local_dispatcher.hpp"
#include "makespan/bag/policy/policy_registry.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/machine/affinity.hpp"

namespace makespan::bag {

namespace {

SpeedTable speeds_at_first(std::vector<Speed> const& remembered, int workers) {
  MAKESPAN_EXPECT(remembered.empty() || std::ssize(remembered) == workers);
  SpeedTable speeds(workers);
  for (int worker = 0; worker < static_cast<int>(remembered.size()); ++worker) {
    Speed const speed = remembered[static_cast<std::size_t>(worker)];
    if (speed > Speed{0.0}) speeds.remember(worker, speed);
  }
  return speeds;
}

TeamState fresh_state(TeamOptions const& options, TeamLayout const& layout) {
  for (Injection const& injection : options.injections) {
    if (injection.device < layout.devices()) continue;
    throw InputError("injection for device " + std::to_string(injection.device),
                     "there are " + std::to_string(layout.devices()), "devices count from 0");
  }
  auto const workers = static_cast<std::size_t>(layout.workers());
  return {.policy = make_policy(options.policy, options.policy_options),
          .speeds = speeds_at_first(options.speeds, layout.workers()),
          .claim_costs = std::vector<Seconds>(workers, claim_cost_at_first),
          .failed = std::vector<bool>(static_cast<std::size_t>(layout.devices()))};
}

}  // namespace

DeviceTeam::DeviceTeam(TeamOptions const& options)
    : options_(with_choices_of_dispatcher(options)),
      layout_(options_.devices),
      state_(fresh_state(options_, layout_)) {
  threads_.reserve(static_cast<std::size_t>(threads()));
  for (int thread = 0; thread < threads(); ++thread) {
    threads_.emplace_back([this, thread](std::stop_token const& team_ends) {
      if (auto const core = layout_.place(thread).core) machine::pin_this_thread(*core);
      work(team_ends, thread);
    });
  }
}

DeviceTeam::~DeviceTeam() = default;

TeamReport DeviceTeam::run(Bag const& bag, ItemRunner& runner, std::stop_token const& stop,
                           trace::Trace* trace) {
  WorkerBoard board(layout_.workers());
  LocalDispatcher dispatcher(bag, layout_.modes(), options_.dispatcher, state_, board);
  return run({.bag = bag, .runner = runner, .stop = stop, .trace = trace}, dispatcher, board);
}

TeamReport DeviceTeam::run(TeamJob const& job, ClaimSource& source, WorkerBoard& board,
                           Meanwhile const& meanwhile) {
  MAKESPAN_EXPECT(job.trace == nullptr || job.trace->threads() >= threads());
  if (std::ranges::all_of(state_.failed, std::identity{})) {
    throw DeviceFailed("every device of the team has failed in an earlier run");
  }
  TeamRun run(job, source, board,
              {.layout = layout_, .injections = options_.injections, .state = state_});
  {
    std::stop_callback const halt_on_stop(job.stop, [this, &run] {
      run.halt();
      std::scoped_lock const lock(mutex_);
      caller_wakes_.notify_one();
    });
    std::unique_lock lock(mutex_);
    MAKESPAN_EXPECT(run_ == nullptr);
    run_ = &run;
    ++runs_;
    threads_wake_.notify_all();
    try {
      wait_for(run, lock, meanwhile);
    } catch (...) {
      wait_for_threads(run, lock);
      run_ = nullptr;
      throw;
    }
    run_ = nullptr;
    // The lock goes before the callback, which may be waiting for it.
  }
  TeamReport report = run.report();
  for (int const device : report.failed_devices)
    state_.failed[static_cast<std::size_t>(device)] = true;
  if (run.error()) std::rethrow_exception(run.error());
  return report;
}

TeamReport DeviceTeam::idle_report() const {
  TeamReport report;
  report.busy.resize(static_cast<std::size_t>(threads()));
  report.work.resize(static_cast<std::size_t>(threads()));
  for (int device = 0; device < devices(); ++device) {
    if (state_.failed[static_cast<std::size_t>(device)]) report.failed_devices.push_back(device);
  }
  return report;
}

void DeviceTeam::wait_for(TeamRun& run, std::unique_lock<std::mutex>& lock,
                          Meanwhile const& meanwhile) {
  auto const is_over = [&] { return inside_ == 0 && run.is_over(); };
  if (!meanwhile) {
    caller_wakes_.wait(lock, is_over);
    return;
  }
  while (!is_over()) {
    lock.unlock();
    auto const pause = meanwhile();
    lock.lock();
    caller_wakes_.wait_for(lock, pause, is_over);
  }
}

// What they use is about to go.
void DeviceTeam::wait_for_threads(TeamRun& run, std::unique_lock<std::mutex>& lock) {
  if (lock.owns_lock()) lock.unlock();
  run.halt();
  lock.lock();
  caller_wakes_.wait(lock, [this] { return inside_ == 0; });
}

void DeviceTeam::work(std::stop_token const& team_ends, int thread) {
  std::int64_t last_run = 0;
  std::unique_lock lock(mutex_);
  while (
      threads_wake_.wait(lock, team_ends, [&] { return run_ != nullptr && runs_ != last_run; })) {
    last_run = runs_;
    TeamRun& run = *run_;
    ++inside_;
    lock.unlock();
    run.take_part(thread);
    lock.lock();
    if (--inside_ == 0) caller_wakes_.notify_one();
  }
}

}  // namespace makespan::bag
