// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/pricing_run.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <thread>
#include <utility>

#include "makespan/apps/asian/exact_price.hpp"
#include "makespan/apps/asian/moment_tree.hpp"
#include "makespan/apps/asian/option_worker.hpp"
#include "makespan/apps/asian/sampling.hpp"
#include "makespan/bag/device_team.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/simd/portable_math.hpp"

namespace makespan::asian {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Steps that the fixed cost of a sample (start, payoff, moments) is worth, about (measured,
// docs/explanation/kernels.md).
constexpr double steps_of_payoff = 6;

// One option between its first block and its result.
struct OptionState {
  bool exact = false;
  bool finished = false;
  std::int64_t samples_from = 0;  // per replicate: before the present round
  std::int64_t samples_to = 0;    // and after it
  std::atomic<std::int64_t> blocks_left{0};
  std::mutex mutex;  // of what follows
  std::vector<MomentTree> trees;
  double seconds = 0;
};

}  // namespace

class PricingRun::Engine final : public bag::ItemRunner {
 public:
  Engine(ContractBook const& book, PricingSettings const& settings);
  ~Engine() override;

  void run(int number, TaskId task, std::int64_t item_begin, std::int64_t item_end) override;

  RunProgress wait_for(std::chrono::duration<double> timeout);
  std::vector<std::int64_t> take_finished();
  [[nodiscard]] ResultBook const& results() const { return results_; }
  void cancel() { stop_.request_stop(); }
  RunSummary summary();
  [[nodiscard]] Timeline timeline() const { return {trace_ ? &*trace_ : nullptr, start_}; }

 private:
  struct Thread {
    explicit Thread(PricingSettings const& settings, Kernels const& kernels)
        : worker{settings, kernels} {}
    OptionWorker worker;
    std::int64_t row = -1;  // the option at hand
    Contract contract{};
  };

  void drive();
  [[nodiscard]] bag::Bag next_bag() const;
  void add(bag::TeamReport const& report);
  [[nodiscard]] Work work_of(std::int64_t row, std::int64_t samples_from,
                             std::int64_t samples_to) const;
  [[nodiscard]] std::int64_t steps_of(std::int64_t row) const {
    return steps_[static_cast<std::size_t>(row)];
  }
  OptionState& state(std::int64_t row) { return states_[static_cast<std::size_t>(row)]; }
  void finish_exact(Thread& thread, OptionState& option);
  void end_round(Thread& thread, OptionState& option);
  void store(std::int64_t row, RowStatus status, OptionResult const& result, std::int64_t paths,
             double seconds);

  ContractBook book_;
  PricingSettings settings_;
  std::vector<machine::DeviceSpec> devices_;
  Sampling sampling_;
  double interval_;  // half the confidence interval, in standard errors
  ResultBook results_;
  std::vector<OptionState> states_;
  std::vector<std::int64_t> steps_;
  std::vector<std::unique_ptr<Thread>> threads_;
  bag::DeviceTeam team_;
  std::optional<trace::Trace> trace_;
  RunSummary summary_{};
  Clock::time_point start_ = Clock::now();

  std::atomic<std::int64_t> path_steps_{0};
  std::atomic<double> work_done_{0};
  std::atomic<double> work_total_{0};
  std::atomic<std::int64_t> rows_finished_{0};

  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::vector<std::int64_t> newly_finished_;
  bool done_ = false;
  double wall_ = 0;
  std::exception_ptr failure_;

  std::stop_source stop_;
  std::jthread driver_;  // last: it uses all of the above
};

PricingRun::Engine::Engine(ContractBook const& book, PricingSettings const& settings)
    : book_{book},
      settings_{settings},
      devices_{(check(settings), check(book), devices_of(settings))},
      sampling_{sampling_of(settings)},
      interval_{settings.method == Method::rqmc
                    ? simd::student_quantile(settings.confidence, settings.replicates - 1)
                    : simd::normal_quantile(0.5 + 0.5 * settings.confidence)},
      results_{static_cast<std::size_t>(book.rows())},
      states_(static_cast<std::size_t>(book.rows())),
      steps_(static_cast<std::size_t>(book.rows())),
      team_{team_options(settings)} {
  for (machine::DeviceSpec const& device : devices_) {
    Kernels const& kernels = kernels_named(device.isa);
    summary_.devices.push_back(
        {.name = device.text, .isa = std::string(kernels.isa), .mode = device.mode});
  }
  for (int thread = 0; thread < team_.threads(); ++thread) {
    auto const device = static_cast<std::size_t>(team_.device_of(thread));
    threads_.push_back(
        std::make_unique<Thread>(settings_, kernels_named(summary_.devices[device].isa)));
    if (summary_.devices[device].threads++ == 0) summary_.devices[device].first_thread = thread;
  }
  if (settings.trace) trace_.emplace(team_.threads());
  double total = 0;
  for (std::int64_t row = 0; row < book_.rows(); ++row) {
    Contract const contract = contract_at(book_, row);
    OptionState& option = state(row);
    steps_[static_cast<std::size_t>(row)] = step_count(contract);
    option.exact = has_exact_price(contract, settings_.method);
    option.samples_to = option.exact ? 1 : first_round(contract, sampling_);
    total += work_of(row, 0, option.samples_to).value();
    if (!option.exact && precision_for(contract, settings_.precision) == Precision::fp64)
      ++summary_.rows_fp64;
  }
  work_total_ = total;
  driver_ = std::jthread([this] { drive(); });
}

PricingRun::Engine::~Engine() {
  stop_.request_stop();
  if (driver_.joinable()) driver_.join();
}

Work PricingRun::Engine::work_of(std::int64_t row, std::int64_t samples_from,
                                 std::int64_t samples_to) const {
  double const samples = static_cast<double>(samples_to - samples_from) * sampling_.replicates;
  double const paths = samples * sampling_.paths_per_sample;
  return Work{paths * (static_cast<double>(steps_of(row)) + steps_of_payoff)};
}

bag::Bag PricingRun::Engine::next_bag() const {
  std::vector<bag::Segment> segments;
  for (std::int64_t row = 0; row < book_.rows(); ++row) {
    OptionState const& option = states_[static_cast<std::size_t>(row)];
    if (option.finished) continue;
    std::int64_t const blocks =
        option.exact ? 1 : blocks_between(sampling_, option.samples_from, option.samples_to);
    Work const work = work_of(row, option.samples_from, option.samples_to);
    segments.push_back({TaskId{row}, blocks, work / static_cast<double>(blocks)});
  }
  return bag::Bag{std::move(segments)};
}

void PricingRun::Engine::add(bag::TeamReport const& report) {
  summary_.busy.resize(report.busy.size());
  for (std::size_t i = 0; i < report.busy.size(); ++i) {
    summary_.busy[i] += report.busy[i];
    DeviceSummary& device =
        summary_.devices[static_cast<std::size_t>(team_.device_of(static_cast<int>(i)))];
    device.busy += report.busy[i];
    device.work += report.work[i];
  }
  for (int const device : report.failed_devices)
    summary_.devices[static_cast<std::size_t>(device)].failed = true;
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
      bag::Bag const bag = next_bag();
      if (bag.items() == 0) break;
      for (bag::Segment const& segment : bag.segments())
        state(segment.task.value()).blocks_left = segment.items;
      bag::TeamReport const report = team_.run(bag, *this, stop, trace_ ? &*trace_ : nullptr);
      add(report);
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

void PricingRun::Engine::run(int number, TaskId task, std::int64_t item_begin,
                             std::int64_t item_end) {
  Thread& thread = *threads_[static_cast<std::size_t>(number)];
  OptionState& option = state(task.value());
  auto const start = Clock::now();
  if (thread.row != task.value()) {
    thread.row = task.value();
    thread.contract = contract_at(book_, thread.row);
    thread.worker.prepare(thread.contract);
  }
  if (option.exact) return finish_exact(thread, option);
  std::stop_token const stop = stop_.get_token();
  std::vector<MomentTree> trees(static_cast<std::size_t>(sampling_.replicates));
  for (std::int64_t item = item_begin; item < item_end; ++item) {
    Block const block = block_at(sampling_, option.samples_from, option.samples_to, item);
    std::span<double const> const moments = thread.worker.run(block, stop);
    if (stop.stop_requested()) return;  // the option stays unfinished
    trees[static_cast<std::size_t>(block.replicate)].add(block.index, moments);
    path_steps_ += std::int64_t{block.samples} * sampling_.paths_per_sample * steps_of(thread.row);
    work_done_ += work_of(thread.row, 0, block.samples).value() / sampling_.replicates;
  }
  {
    std::lock_guard const lock{option.mutex};
    option.trees.resize(trees.size());
    for (std::size_t i = 0; i < trees.size(); ++i) option.trees[i].add_all(std::move(trees[i]));
    option.seconds += seconds_since(start);
  }
  // The last to come has seen all others' moments: each let go of the mutex before it counted down.
  if (option.blocks_left.fetch_sub(item_end - item_begin) == item_end - item_begin)
    end_round(thread, option);
}

void PricingRun::Engine::finish_exact(Thread& thread, OptionState& option) {
  auto const start = Clock::now();
  std::optional<OptionResult> const result = thread.worker.exact();
  MAKESPAN_ASSERT(result.has_value());
  if (!result) return;
  work_done_ += work_of(thread.row, 0, 1).value();
  option.finished = true;
  store(thread.row, RowStatus::deterministic, *result, 0, seconds_since(start));
}

void PricingRun::Engine::end_round(Thread& thread, OptionState& option) {
  std::vector<std::vector<double>> moments;
  moments.reserve(option.trees.size());
  for (MomentTree const& tree : option.trees) moments.push_back(tree.total());
  std::int64_t const samples = option.samples_to;
  Estimate const estimate = thread.worker.estimate_from(moments, samples);
  Progress const progress{samples, thread.worker.price_error(estimate), estimate.exercised};
  std::int64_t const next = next_round(thread.contract, sampling_, progress);
  if (next > samples) {
    work_total_ += work_of(thread.row, samples, next).value();
    option.samples_from = samples;
    option.samples_to = next;
    return;
  }
  bool const met = thread.contract.paths > 0 || progress.std_error <= thread.contract.std_error;
  option.finished = true;
  option.trees = {};
  store(thread.row, met ? RowStatus::ok : RowStatus::max_paths_reached,
        thread.worker.result_from(estimate, samples),
        samples * sampling_.paths_per_sample * sampling_.replicates, option.seconds);
}

void PricingRun::Engine::store(std::int64_t row, RowStatus status, OptionResult const& result,
                               std::int64_t paths, double seconds) {
  auto const i = static_cast<std::size_t>(row);
  for (std::size_t k = 0; k < output_count; ++k) {
    results_.value[k][i] = result.value[k];
    results_.std_error[k][i] = result.std_error[k];
  }
  double const half = interval_ * result.std_error[price];
  results_.ci_low[i] = result.value[price] - half;
  results_.ci_high[i] = result.value[price] + half;
  results_.paths_used[i] = paths;
  results_.replicates[i] = settings_.method == Method::rqmc && paths > 0 ? sampling_.replicates : 0;
  results_.control_beta[i] = result.control_beta;
  results_.variance_reduction[i] = result.variance_reduction;
  results_.method_price[i] = result.method_price;
  results_.seconds[i] = seconds;
  results_.status[i] = status;
  ++rows_finished_;
  std::lock_guard const lock{mutex_};
  newly_finished_.push_back(row);
}

RunProgress PricingRun::Engine::wait_for(std::chrono::duration<double> timeout) {
  std::unique_lock lock{mutex_};
  changed_.wait_for(lock, timeout, [this] { return done_; });
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

RunSummary PricingRun::Engine::summary() {
  std::unique_lock lock{mutex_};
  changed_.wait(lock, [this] { return done_; });
  if (failure_) std::rethrow_exception(failure_);
  summary_.isa = summary_.devices.front().isa;
  summary_.threads = team_.threads();
  summary_.philox_rounds = settings_.philox_rounds;
  summary_.wall = Seconds{wall_};
  summary_.path_steps = path_steps_.load();
  summary_.complete = rows_finished_.load() == book_.rows();
  return summary_;
}

PricingRun::PricingRun(ContractBook const& book, PricingSettings const& settings)
    : engine_{std::make_unique<Engine>(book, settings)} {
}
PricingRun::~PricingRun() = default;
RunProgress PricingRun::wait_for(std::chrono::duration<double> timeout) {
  return engine_->wait_for(timeout);
}
std::vector<std::int64_t> PricingRun::take_finished() {
  return engine_->take_finished();
}
ResultBook const& PricingRun::results() const {
  return engine_->results();
}
void PricingRun::cancel() {
  engine_->cancel();
}
RunSummary PricingRun::summary() {
  return engine_->summary();
}

PricingRun::Timeline PricingRun::timeline() const {
  return engine_->timeline();
}

}  // namespace makespan::asian
