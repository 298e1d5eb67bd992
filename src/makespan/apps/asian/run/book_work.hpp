// SPDX-License-Identifier: Apache-2.0
// A book as a bag runs it: rounds of its options become items, and items become pieces of results.
// The same on every image that works on the book.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <unordered_map>
#include <vector>

#include "makespan/apps/asian/contract/contract_reader.hpp"
#include "makespan/apps/asian/estimate/sampling.hpp"
#include "makespan/apps/asian/gpu/block_device.hpp"
#include "makespan/apps/asian/kernel/kernels.hpp"
#include "makespan/apps/asian/recursion/solver.hpp"
#include "makespan/apps/asian/run/detail/book_launcher.hpp"
#include "makespan/apps/asian/run/detail/book_piece.hpp"
#include "makespan/apps/asian/run/detail/law_groups.hpp"
#include "makespan/apps/asian/run/detail/row_kind.hpp"
#include "makespan/apps/asian/run/option_worker.hpp"
#include "makespan/apps/asian/run/pricing_settings.hpp"
#include "makespan/bag/protocol/bag.hpp"
#include "makespan/base/quantity.hpp"

namespace makespan::asian {

// Samples of one option, per replicate, from one number to another. An option that has a closed
// form has one round, to 1; the first row of a solve one to the number of parts that its rows are
// cut into, the other rows none, to 0.
struct BookRound {
  std::int64_t row;
  std::int64_t samples_from;
  std::int64_t samples_to;
};

// Rounds as they lie in memory, which image 0 sends to the others, of a book of so many rows.
// Throws InputError for a round that cannot be of that book. Tested by
// tests/apps/asian/run/book_work_test.cpp.
[[nodiscard]] std::vector<BookRound> rounds_from(std::span<std::byte const> bytes,
                                                 std::int64_t rows);

// What one thread makes blocks with.
struct PricingThread {
  Kernels const* kernels;                 // also of what a GPU does not do itself
  std::unique_ptr<BlockDevice> blocks{};  // of a GPU's thread
};

// run(), run_all(), estimator() and forget_estimators() may be called from several threads at once,
// for different threads; begin() and keep_estimators() only while no thread runs items. Tested
// through tests/apps/asian/run/pricing_run_test.cpp.
class BookWork {
 public:
  // Keeps a reference to the settings, which have been checked, and the columns of the book.
  BookWork(ContractBook const& book, PricingSettings const& settings,
           std::vector<PricingThread> threads);

  [[nodiscard]] std::int64_t rows() const { return book_.rows(); }
  // By which estimator a row is simulated, if it is.
  [[nodiscard]] Method method(std::int64_t row) const {
    return methods_[static_cast<std::size_t>(row)];
  }
  [[nodiscard]] Sampling sampling(std::int64_t row) const;
  // Of any row.
  [[nodiscard]] int replicates_max() const { return replicates_max_; }
  [[nodiscard]] Contract contract(std::int64_t row) const { return book_.at(row); }
  [[nodiscard]] std::int64_t steps(std::int64_t row) const {
    return steps_[static_cast<std::size_t>(row)];
  }
  [[nodiscard]] RowKind kind(std::int64_t row) const {
    return kinds_[static_cast<std::size_t>(row)];
  }
  // Predicted, in path-steps; of one more block than there are samples for if they end in one.
  [[nodiscard]] Work work_of(std::int64_t row, std::int64_t samples_from,
                             std::int64_t samples_to) const;

  // Whether it is so of all rows that a task, named by its first one, prices without samples.
  template <class Is>
  [[nodiscard]] bool all_of_task(std::int64_t row, Is&& is) const {
    if (kind(row) != RowKind::recursion) return is(row);
    return std::ranges::all_of(groups_.rows_of(row), is);
  }

  // The first round of an option.
  [[nodiscard]] BookRound first_round_of(std::int64_t row) const;

  // The bag of these rounds, each of another option; what run() runs until the next call. Tasks are
  // rows.
  [[nodiscard]] bag::Bag begin(std::span<BookRound const> rounds);

  // Items of a row of that bag. Once `stop` is asked for it returns early, and the piece is
  // meaningless.
  BookPiece run(int thread, std::int64_t row, std::int64_t item_begin, std::int64_t item_end,
                std::stop_token const& stop);

  // The same for parts of several rows, in one launch where the thread has a GPU. Throws
  // bag::DeviceFailed if that fails; nothing has come of the parts then.
  std::vector<BookPiece> run_all(int thread, std::span<bag::TaskItems const> parts,
                                 std::stop_token const& stop);

  // Throws InputError for a piece, of another image, that cannot be of this book.
  void expect_own(BookPiece const& piece) const;

  // What makes a row's result of its moments: kept since the thread was at the row, or prepared
  // anew. To prepare an option takes as long as thousands of steps, and pieces of many rows may end
  // before their results are asked for.
  void keep_estimators() { keeps_estimators_ = true; }
  [[nodiscard]] OptionEstimate estimator(int thread, std::int64_t row);
  void forget_estimators(int thread);

 private:
  // The thread's worker with the row at hand.
  OptionWorker& worker(int thread, std::int64_t row);
  [[nodiscard]] BookPiece run_closed_form(int thread, std::int64_t row);
  [[nodiscard]] BookPiece run_solve(int thread, std::int64_t first, std::int64_t part_begin,
                                    std::int64_t part_end, std::stop_token const& stop);
  void run_blocks(int thread, std::int64_t item_begin, std::int64_t item_end,
                  std::stop_token const& stop, BookPiece& piece);

  struct Thread {
    OptionWorker worker;
    std::optional<BookLauncher> launcher;
    std::int64_t row{-1};  // the option at hand
    Contract contract{};
    std::unordered_map<std::int64_t, OptionEstimate> kept{};  // by row
    std::vector<Block> blocks{};                              // work space
    recursion::Solver solver;
    recursion::SumLaw law{};
    std::int64_t solved{-1};  // the first row of the solve at hand
  };

  ContractReader book_;
  EstimatorSettings settings_;
  std::vector<std::unique_ptr<Thread>> threads_;
  std::vector<std::int64_t> steps_;  // by row
  std::vector<RowKind> kinds_;
  std::vector<Method> methods_;
  int replicates_max_ = 1;
  bool keeps_estimators_ = false;
  LawGroups groups_;
  std::vector<BookRound> rounds_;
};

}  // namespace makespan::asian
