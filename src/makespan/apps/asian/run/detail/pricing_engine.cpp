// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/run/detail/pricing_engine.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "makespan/apps/asian/estimate/sampling.hpp"
#include "makespan/apps/asian/kernel/moment_job.hpp"
#include "makespan/apps/asian/run/option_worker.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/simd/portable_math.hpp"

namespace makespan::asian {

namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The clock counts nanoseconds in 64 bits, from a beginning that is years ago: what ends beyond
// would have ended before now.
std::chrono::duration<double> within_clock(std::chrono::duration<double> timeout) {
  constexpr std::chrono::duration<double> longest = std::chrono::years{1};
  constexpr std::chrono::duration<double> none{0.0};
  // So that what is no number becomes none.
  return timeout > none ? std::min(timeout, longest) : none;
}

}  // namespace

PricingRun::Engine::Engine(ContractBook const& book, PricingSettings const& settings,
                           PricingTeam* team)
    // Checked here, before any member is made of them.
    : settings_{(check(settings), check(book), settings)},
      job_{team},
      devices_{team != nullptr ? team->devices() : pricing_devices(settings, own_team(), 0)},
      work_{book, settings_, threads_of_this_image()},
      held_(static_cast<std::size_t>(own_team().threads())),
      normal_interval_{simd::normal_quantile(0.5 + 0.5 * settings.confidence)},
      replicates_interval_{
          simd::student_quantile(settings.confidence, std::max(settings.replicates - 1, 1))},
      results_{static_cast<std::size_t>(book.rows())},
      states_(static_cast<std::size_t>(book.rows())) {
  for (PricingDevice const& device : devices_) {
    auto const number = static_cast<int>(summary_.devices.size());
    summary_.devices.push_back({.name = device.name,
                                .isa = device.isa,
                                .mode = device.mode,
                                .image = device.image,
                                .first_thread = static_cast<int>(device_of_.size()),
                                .threads = device.threads,
                                .remembered = device.remembered});
    device_of_.insert(device_of_.end(), static_cast<std::size_t>(device.threads), number);
  }
  if (settings.trace) trace_.emplace(static_cast<int>(device_of_.size()));
  if (job_ != nullptr) job_->begin_book(book, settings_);
  work_.keep_estimators();
  double total = 0;
  for (std::int64_t row = 0; row < book.rows(); ++row) {
    Contract const contract = work_.contract(row);
    OptionState& option = state(row);
    option.samples_to = work_.first_round_of(row).samples_to;
    total += work_.work_of(row, 0, option.samples_to).value();
    check_method(contract, row);
    if (work_.kind(row) == RowKind::simulated &&
        precision_of_paths(contract, settings_) == Precision::fp64)
      ++summary_.rows_fp64;
  }
  work_total_ = total;
  driver_ = std::jthread([this] { drive(); });
}

// A random variance and several underlyings have no recursion; paths of the former have no
// low-discrepancy points.
void PricingRun::Engine::check_method(Contract const& contract, std::int64_t row) const {
  if (work_.kind(row) != RowKind::simulated) return;
  bool const has_heston = contract.heston.is_given();
  bool const has_basket = contract.basket != nullptr;
  bool const is_exact = settings_.method == Method::exact && (has_heston || has_basket);
  bool const is_rqmc = is_low_discrepancy(settings_.method) && has_heston;
  if (!is_exact && !is_rqmc) return;
  std::string const name = is_exact                           ? "exact"
                           : settings_.method == Method::rqmc ? "rqmc"
                                                              : "rqmc_smooth";
  throw InputError(
      "row " + std::to_string(row + 1) + ": method " + name + " cannot price it",
      has_heston ? "its variance is random" : "it has several underlyings, or a local volatility",
      has_heston ? "use auto, mc or mc_plain" : "use auto, mc, mc_plain, rqmc or rqmc_smooth");
}

bag::DeviceTeam& PricingRun::Engine::own_team() {
  if (job_ != nullptr) return job_->team().devices();
  if (!own_team_) own_team_.emplace(team_options(settings_));
  return *own_team_;
}

// By thread, and one more, which takes in what others have sent.
std::vector<PricingThread> PricingRun::Engine::threads_of_this_image() {
  auto threads = pricing_threads(devices_, 0, *settings_.gpus);
  threads.push_back({threads.front().kernels});
  return threads;
}

PricingRun::Engine::~Engine() {
  stop_.request_stop();
  if (driver_.joinable()) driver_.join();
}

std::vector<BookRound> PricingRun::Engine::next_rounds() const {
  std::vector<BookRound> rounds;
  for (std::int64_t row = 0; row < work_.rows(); ++row) {
    // Rows that another row's solve prices have samples 0 to 0: they are in no round. No lock is
    // needed: between two bags no thread touches the state of an option.
    OptionState const& option = states_[static_cast<std::size_t>(row)];
    bool const is_scheduled = option.samples_to > option.samples_from;
    if (!option.finished && is_scheduled)
      rounds.push_back({row, option.samples_from, option.samples_to});
  }
  return rounds;
}

void PricingRun::Engine::add(bag::TeamReport const& report) {
  summary_.busy.resize(device_of_.size());
  for (std::size_t i = 0; i < report.busy.size(); ++i) {
    summary_.busy[i] += report.busy[i];
    DeviceSummary& device = summary_.devices[static_cast<std::size_t>(device_of_[i])];
    device.busy += report.busy[i];
    device.work += report.work[i];
  }
  for (int const device : report.failed_devices)
    summary_.devices[static_cast<std::size_t>(device)].failed = true;
  for (bag::OverduePiece const& piece : report.overdue) {
    if (piece.task.value() < 0 || piece.task.value() >= work_.rows()) continue;  // not of this book
    summary_.overdue.push_back(note_of(piece));
    DeviceSummary& its =
        summary_
            .devices[static_cast<std::size_t>(device_of_[static_cast<std::size_t>(piece.thread)])];
    if (piece.is_lost) ++its.lost_threads;
  }
  summary_.makespan += report.makespan;
  summary_.ideal += report.ideal;
  summary_.claims += report.claims;
  summary_.steals += report.steals;
  ++summary_.rounds;
}

void PricingRun::Engine::drive() {
  try {
    std::stop_token const stop = stop_.get_token();
    bool complete = true;
    while (complete && !stop.stop_requested()) {
      std::vector<BookRound> const rounds = next_rounds();
      if (rounds.empty()) break;
      // A wave: the present round of every option that is not finished (docs/decisions/0008).
      bag::Bag const bag = work_.begin(rounds);
      // Before any thread can count down.
      for (bag::Segment const& segment : bag.segments())
        state(segment.task.value()).blocks_left = segment.items;
      Clock::time_point const begin = Clock::now();
      bag::TeamReport const report = run(bag, rounds);
      if (trace_) {
        auto const segments = bag.segments();
        rounds_.push_back({begin, Clock::now(), {segments.begin(), segments.end()}});
      }
      add(report);
      if (report.complete) expect_all_come(bag);
      // After a stop, blocks of this wave are missing: no option may be taken further.
      complete = report.complete;
    }
  } catch (...) {
    std::lock_guard const lock{mutex_};
    failure_ = std::current_exception();
  }
  std::lock_guard const lock{mutex_};
  done_ = true;
  wall_ = seconds_since(start_);
  changed_.notify_all();
}

bag::TeamReport PricingRun::Engine::run(bag::Bag const& bag, std::span<BookRound const> rounds) {
  trace::Trace* const trace = trace_ ? &*trace_ : nullptr;
  if (job_ == nullptr) return own_team_->run(bag, *this, stop_.get_token(), trace);
  return job_->team().run(bag, *this, std::as_bytes(rounds), stop_.get_token(), trace).together;
}

void PricingRun::Engine::run(int thread, TaskId task, std::int64_t item_begin,
                             std::int64_t item_end) {
  std::stop_token const stop = stop_.get_token();
  BookPiece piece = work_.run(thread, task.value(), item_begin, item_end, stop);
  if (!stop.stop_requested()) hold(thread, std::move(piece));  // else the option stays unfinished
}

void PricingRun::Engine::run_all(int thread, std::span<bag::TaskItems const> parts) {
  std::stop_token const stop = stop_.get_token();
  auto pieces = work_.run_all(thread, parts, stop);
  if (stop.stop_requested()) return;
  for (BookPiece& piece : pieces) hold(thread, std::move(piece));
}

void PricingRun::Engine::hold(int thread, BookPiece&& piece) {
  asian::add_to(held_[static_cast<std::size_t>(thread)], std::move(piece));
}

void PricingRun::Engine::keep(int thread) {
  // They count: none of their items had been finished by others before (docs/decisions/0093).
  auto& held = held_[static_cast<std::size_t>(thread)];
  for (BookPiece& piece : held) take(thread, std::move(piece));
  held.clear();
  work_.forget_estimators(thread);
}

void PricingRun::Engine::on_overdue(bag::OverduePiece const& piece) {
  std::lock_guard const lock{mutex_};
  newly_overdue_.push_back(note_of(piece));
}

// Of a thread of all images.
OverdueNote PricingRun::Engine::note_of(bag::OverduePiece const& piece) const {
  PricingDevice const& device =
      devices_[static_cast<std::size_t>(device_of_[static_cast<std::size_t>(piece.thread)])];
  return {.device = device.name,
          .image = device.image,
          .row = piece.task.value(),
          .at_it = piece.at_it,
          .predicted = piece.predicted,
          .is_lost = piece.is_lost};
}

void PricingRun::Engine::store(std::int64_t row, RowStatus status, OptionResult const& result,
                               std::int64_t paths, double seconds) {
  auto const i = static_cast<std::size_t>(row);
  for (std::size_t k = 0; k < output_count; ++k) {
    results_.value[k][i] = result.value[k];
    results_.std_error[k][i] = result.std_error[k];
    results_.error_bound[k][i] = result.error_bound[k];
  }
  // What was priced without noise has no paths.
  bool const is_exact = paths == 0;
  Method const method = work_.method(row);
  bool const has_replicates = is_low_discrepancy(method) && !is_exact;
  double const interval = has_replicates ? replicates_interval_ : normal_interval_;
  double const half = is_exact ? result.error_bound[price] : interval * result.std_error[price];
  results_.ci_low[i] = result.value[price] - half;
  results_.ci_high[i] = result.value[price] + half;
  results_.paths_used[i] = paths;
  results_.replicates[i] = has_replicates ? work_.sampling(row).replicates : 0;
  results_.control_beta[i] = result.control_beta;
  results_.variance_reduction[i] = result.variance_reduction;
  results_.method_price[i] = result.method_price;
  results_.method[i] = is_exact             ? Method::exact
                       : result.is_smoothed ? Method::rqmc_smooth
                       : has_replicates     ? Method::rqmc
                                            : method;
  results_.seconds[i] = seconds;
  results_.status[i] = status;
  ++rows_finished_;
  // Last: from here on a reader may look at the row, and the mutex makes all of it visible to the
  // thread that takes the row's number.
  std::lock_guard const lock{mutex_};
  newly_finished_.push_back(row);
}

RunProgress PricingRun::Engine::wait_for(std::chrono::duration<double> timeout) {
  std::unique_lock lock{mutex_};
  changed_.wait_for(lock, within_clock(timeout), [this] { return done_; });
  return {done_,
          Work{work_done_.load()},
          Work{std::max(work_total_.load(), work_done_.load())},
          rows_finished_.load(),
          path_steps_.load(),
          Seconds{done_ ? wall_ : seconds_since(start_)}};
}

std::vector<std::int64_t> PricingRun::Engine::take_finished() {
  std::lock_guard const lock{mutex_};
  return std::exchange(newly_finished_, {});
}

std::vector<OverdueNote> PricingRun::Engine::take_overdue() {
  std::lock_guard const lock{mutex_};
  return std::exchange(newly_overdue_, {});
}

void PricingRun::Engine::expect_done() {
  std::unique_lock lock{mutex_};
  changed_.wait(lock, [this] { return done_; });
  if (failure_) std::rethrow_exception(failure_);
}

SpeedByKind PricingRun::Engine::speeds() {
  expect_done();
  if (job_ != nullptr) return job_->speeds();
  bag::DeviceTeam& team = own_team();
  return speeds_by_kind(worker_kinds(devices_of(settings_), team.layout()), team.state().speeds);
}

RunSummary PricingRun::Engine::summary() {
  expect_done();
  // Of its own: several threads may ask at once.
  RunSummary summary = summary_;
  summary.isa = summary.devices.front().isa;
  summary.threads = static_cast<int>(device_of_.size());
  summary.images = job_ == nullptr ? 1 : job_->images();
  summary.philox_rounds = settings_.philox_rounds;
  summary.wall = Seconds{wall_};
  summary.path_steps = path_steps_.load();
  summary.complete = rows_finished_.load() == work_.rows();
  return summary;
}

}  // namespace makespan::asian
