// SPDX-License-Identifier: Apache-2.0
// What is behind a PricingRun: the bags that it runs, and what came of them so far.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <thread>
#include <vector>

#include "makespan/apps/asian/run/book_work.hpp"
#include "makespan/apps/asian/run/detail/book_piece.hpp"
#include "makespan/apps/asian/run/pricing_run.hpp"
#include "makespan/apps/asian/run/pricing_team.hpp"
#include "makespan/bag/device_team.hpp"

namespace makespan::asian {

// One option between its first block and its result.
struct OptionState {
  bool finished = false;
  std::int64_t samples_from = 0;       // per replicate: before the present round
  std::int64_t samples_to = 0;         // and after it
  std::atomic<bool> is_priced{false};  // without samples, by the thread that has set this
  std::mutex mutex;                    // of what follows
  std::int64_t blocks_left{0};         // 0: no other thread is at the option any more
  BookPiece sum{};
};

// Tested through tests/apps/asian/run/pricing_run_test.cpp.
class PricingRun::Engine final : public bag::DistributedItemRunner {
 public:
  Engine(ContractBook const& book, PricingSettings const& settings, PricingTeam* team);
  ~Engine() override;

  void run(int thread, TaskId task, std::int64_t item_begin, std::int64_t item_end) override;
  void run_all(int thread, std::span<bag::TaskItems const> parts) override;
  void keep(int thread) override;
  void drop(int thread) override {
    held_[static_cast<std::size_t>(thread)].clear();
    work_.forget_estimators(thread);
  }
  void on_overdue(bag::OverduePiece const& piece) override;
  void pack(int /*thread*/, std::vector<std::byte>& /*bytes*/) override {}  // all is here
  void unpack(std::span<std::byte const> bytes) override;

  RunProgress wait_for(std::chrono::duration<double> timeout);
  std::vector<std::int64_t> take_finished();
  std::vector<OverdueNote> take_overdue();
  [[nodiscard]] bool has_left_threads_behind() { return own_team().has_left_threads_behind(); }
  [[nodiscard]] ResultBook const& results() const { return results_; }
  void cancel() { stop_.request_stop(); }
  RunSummary summary();
  SpeedByKind speeds();
  [[nodiscard]] Timeline timeline() const { return {trace_ ? &*trace_ : nullptr, start_}; }
  [[nodiscard]] std::vector<Round> const& rounds() const { return rounds_; }

 private:
  using Clock = std::chrono::steady_clock;

  void drive();
  void expect_done();
  // Throws InputError for a row that the method cannot price.
  void check_method(Contract const& contract, std::int64_t row) const;
  [[nodiscard]] std::vector<BookRound> next_rounds() const;
  [[nodiscard]] bag::TeamReport run(bag::Bag const& bag, std::span<BookRound const> rounds);
  void add(bag::TeamReport const& report);
  [[nodiscard]] bag::DeviceTeam& own_team();
  [[nodiscard]] std::vector<PricingThread> threads_of_this_image();
  OptionState& state(std::int64_t row) { return states_[static_cast<std::size_t>(row)]; }
  void hold(int thread, BookPiece&& piece);
  void take(int thread, BookPiece&& piece);
  void take_exact(BookPiece const& piece);
  // Throws InputError where a result of a finished wave has not come.
  void expect_all_come(bag::Bag const& wave);
  [[nodiscard]] bool add_to(OptionState& option, BookPiece&& piece);
  [[nodiscard]] OverdueNote note_of(bag::OverduePiece const& piece) const;
  void end_round(int thread, std::int64_t row, OptionState& option);
  void store(std::int64_t row, RowStatus status, OptionResult const& result, std::int64_t paths,
             double seconds);

  PricingSettings settings_;
  PricingTeam* job_;                         // null: this process alone
  std::optional<bag::DeviceTeam> own_team_;  // then
  std::vector<PricingDevice> devices_;       // of all images
  std::vector<int> device_of_;               // by thread of all images
  BookWork work_;                            // of this image's threads, and of the one that unpacks
  std::vector<std::vector<BookPiece>> held_;  // by thread: it is not known yet whether they count
  // Half the confidence interval, in standard errors: of a price, of a mean of replicates.
  double normal_interval_;
  double replicates_interval_;
  ResultBook results_;
  std::vector<OptionState> states_;
  std::optional<trace::Trace> trace_;
  std::vector<Round> rounds_;  // that have been traced
  RunSummary summary_{};
  Clock::time_point start_ = Clock::now();

  std::atomic<std::int64_t> path_steps_{0};
  std::atomic<double> work_done_{0};
  std::atomic<double> work_total_{0};
  std::atomic<std::int64_t> rows_finished_{0};

  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::vector<std::int64_t> newly_finished_;
  std::vector<OverdueNote> newly_overdue_;
  bool done_ = false;
  double wall_ = 0;
  std::exception_ptr failure_;

  std::stop_source stop_;
  std::jthread driver_;  // last: it uses all of the above
};

}  // namespace makespan::asian
