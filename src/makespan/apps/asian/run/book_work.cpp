// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/run/book_work.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <iterator>
#include <string>
#include <utility>

#include "makespan/apps/asian/contract/basket_law.hpp"
#include "makespan/apps/asian/kernel/moment_job.hpp"
#include "makespan/apps/asian/path/heston_steps.hpp"
#include "makespan/apps/asian/recursion/reduced_option.hpp"
#include "makespan/apps/asian/run/detail/simulation_method.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"

namespace makespan::asian {

namespace {

using Clock = std::chrono::steady_clock;

// Steps that the fixed cost of a sample (start, payoff, moments) is worth, about (measured,
// docs/explanation/kernels.md).
constexpr double steps_of_payoff = 6;

// Rows of a solve that are one item: one solve takes about as long as so many rows, so that many
// rows of one law still share a team, and each of its threads solves once. Their cost, in
// path-steps.
constexpr std::int64_t rows_of_part = 256;
constexpr double work_of_rows = 200'000;

// Steps of a path, each of one price.
std::int64_t steps_of(Contract const& contract) {
  if (contract.heston.is_given()) return heston_step_count(contract);
  if (contract.basket == nullptr) return step_count(contract);
  return basket_step_count(contract) *
         static_cast<std::int64_t>(contract.basket->underlyings.size());
}

}  // namespace

std::vector<BookRound> rounds_from(std::span<std::byte const> bytes, std::int64_t rows) {
  constexpr std::int64_t samples_limit = std::int64_t{1} << 33;  // a power of two from paths
  std::vector<BookRound> rounds(bytes.size() / sizeof(BookRound));
  if (!rounds.empty()) {
    std::memcpy(rounds.data(), bytes.data(), rounds.size() * sizeof(BookRound));
  }
  // What lies in the bytes was another image's: no number of it is an index before it is checked.
  // A row in two rounds would be two tasks of one number in the bag.
  std::vector<bool> is_there(static_cast<std::size_t>(rows));
  for (BookRound const& round : rounds) {
    bool const is_new =
        round.row >= 0 && round.row < rows && !is_there[static_cast<std::size_t>(round.row)];
    if (!is_new || round.samples_from < 0 || round.samples_to <= round.samples_from ||
        round.samples_to > samples_limit) {
      // The row as it came: any number, to which nothing can be added.
      throw InputError("a round of row " + std::to_string(round.row) +
                           " (the first is 0) of a book, of samples " +
                           std::to_string(round.samples_from) + " to " +
                           std::to_string(round.samples_to),
                       "the book has " + std::to_string(rows) + " rows, each in a round once",
                       "start the same executable on all images");
    }
    is_there[static_cast<std::size_t>(round.row)] = true;
  }
  return rounds;
}

BookWork::BookWork(ContractBook const& book, PricingSettings const& settings,
                   std::vector<PricingThread> threads)
    : book_{book}, settings_{settings} {
  for (PricingThread& means : threads) {
    threads_.push_back(
        std::make_unique<Thread>(Thread{.worker = OptionWorker{settings, *means.kernels},
                                        .launcher = std::nullopt,
                                        .solver = recursion::Solver{*means.kernels}}));
    if (means.blocks) threads_.back()->launcher.emplace(std::move(means.blocks), settings);
  }
  std::vector<std::int64_t> solved;
  for (std::int64_t row = 0; row < rows(); ++row) {
    Contract const option = contract(row);
    steps_.push_back(steps_of(option));
    kinds_.push_back(row_kind(option, settings));
    methods_.push_back(simulation_method(option, settings));
    replicates_max_ = std::max(replicates_max_, sampling(row).replicates);
    // Until begin() says which samples a row's items are.
    rounds_.push_back({row, 0, 0});
    if (kinds_.back() == RowKind::recursion) solved.push_back(row);
  }
  groups_ = LawGroups{book_, solved};
}

Sampling BookWork::sampling(std::int64_t row) const {
  return sampling_by(method(row), settings_);
}

Work BookWork::work_of(std::int64_t row, std::int64_t samples_from, std::int64_t samples_to) const {
  auto const samples = static_cast<double>(samples_to - samples_from);
  if (kind(row) == RowKind::recursion) {
    return Work{samples * (solve_work(steps(row), settings_.greeks) + work_of_rows)};
  }
  Sampling const sampling = this->sampling(row);
  double const paths = samples * sampling.replicates * sampling.paths_per_sample;
  return Work{paths * (static_cast<double>(steps(row)) + steps_of_payoff)};
}

BookRound BookWork::first_round_of(std::int64_t row) const {
  switch (kind(row)) {
    case RowKind::closed_form:
      return {row, 0, 1};
    case RowKind::recursion: {
      auto const in_group = static_cast<std::int64_t>(groups_.rows_of(row).size());
      return {row, 0, (in_group + rows_of_part - 1) / rows_of_part};
    }
    case RowKind::simulated:
      break;
  }
  return {row, 0, first_round(contract(row), sampling(row))};
}

bag::Bag BookWork::begin(std::span<BookRound const> rounds) {
  std::vector<bag::Segment> segments;
  segments.reserve(rounds.size());
  for (BookRound const& round : rounds) {
    rounds_[static_cast<std::size_t>(round.row)] = round;
    std::int64_t const blocks =
        kind(round.row) == RowKind::simulated
            ? blocks_between(sampling(round.row), round.samples_from, round.samples_to)
            : round.samples_to;
    Work const work = work_of(round.row, round.samples_from, round.samples_to);
    segments.push_back({TaskId{round.row}, blocks, work / static_cast<double>(blocks)});
  }
  return bag::Bag{std::move(segments)};
}

OptionWorker& BookWork::worker(int thread, std::int64_t row) {
  Thread& mine = *threads_[static_cast<std::size_t>(thread)];
  // A thread runs piece after piece of one option, for which it prepares once.
  if (mine.row != row) {
    if (keeps_estimators_ && mine.worker.has_moments()) {
      mine.kept.try_emplace(mine.row, mine.worker.estimator());
    }
    mine.row = row;
    mine.contract = contract(row);
    mine.worker.prepare(mine.contract);
  }
  return mine.worker;
}

OptionEstimate BookWork::estimator(int thread, std::int64_t row) {
  auto const& kept = threads_[static_cast<std::size_t>(thread)]->kept;
  auto const known = kept.find(row);
  return known != kept.end() ? known->second : worker(thread, row).estimator();
}

void BookWork::forget_estimators(int thread) {
  threads_[static_cast<std::size_t>(thread)]->kept.clear();
}

BookPiece BookWork::run_closed_form(int thread, std::int64_t row) {
  std::optional<OptionResult> const result = worker(thread, row).exact();
  MAKESPAN_ASSERT(result.has_value());
  return {.row = row, .items = 1, .exact = {{row, RowStatus::deterministic, *result}}};
}

BookPiece BookWork::run_solve(int thread, std::int64_t first, std::int64_t part_begin,
                              std::int64_t part_end, std::stop_token const& stop) {
  Thread& mine = *threads_[static_cast<std::size_t>(thread)];
  if (mine.solved != first) {
    Contract const contract = this->contract(first);
    recursion::fill_law(contract, mine.law);
    // solve() may throw: then neither the old law is solved nor the new one.
    mine.solved = -1;
    mine.solver.solve(mine.law,
                      {.derivatives = recursion::derivatives_of(contract, settings_.greeks),
                       .tolerance = recursion_tolerance(contract)});
    mine.solved = first;
  }
  BookPiece piece{.row = first, .items = part_end - part_begin};
  auto const in_group = groups_.rows_of(first);
  auto const end = std::min(in_group.size(), static_cast<std::size_t>(part_end * rows_of_part));
  for (auto i = static_cast<std::size_t>(part_begin * rows_of_part); i < end; ++i) {
    // The caller drops a piece that was stopped: it lacks rows.
    if (stop.stop_requested()) break;
    std::int64_t const row = in_group[i];
    OptionResult const result = worker(thread, row).solved(mine.solver);
    Contract const& option = mine.contract;
    double const bound = result.error_bound[price];
    bool const is_met = option.std_error > 0
                            ? bound <= std::fabs(option.notional) * option.std_error
                            : mine.solver.is_resolved();
    piece.exact.push_back({row, is_met ? RowStatus::ok : RowStatus::resolution_reached, result});
  }
  return piece;
}

void BookWork::run_blocks(int thread, std::int64_t item_begin, std::int64_t item_end,
                          std::stop_token const& stop, BookPiece& piece) {
  OptionWorker& mine = worker(thread, piece.row);
  BookRound const round = rounds_[static_cast<std::size_t>(piece.row)];
  Sampling const sampling = this->sampling(piece.row);
  piece.trees.resize(static_cast<std::size_t>(sampling.replicates));
  for (std::int64_t item = item_begin; item < item_end; ++item) {
    Block const block = block_at(sampling, round.samples_from, round.samples_to, item);
    std::span<double const> const moments = mine.run(block, stop);
    // In the middle of a block: the caller throws it away.
    if (stop.stop_requested()) return;
    piece.trees[static_cast<std::size_t>(block.replicate)].add(block.index, moments);
    piece.samples += block.samples;
  }
}

BookPiece BookWork::run(int thread, std::int64_t row, std::int64_t item_begin,
                        std::int64_t item_end, std::stop_token const& stop) {
  auto const start = Clock::now();
  BookPiece piece{.row = row, .items = item_end - item_begin};
  switch (kind(row)) {
    case RowKind::closed_form:
      piece = run_closed_form(thread, row);
      break;
    case RowKind::recursion:
      piece = run_solve(thread, row, item_begin, item_end, stop);
      break;
    case RowKind::simulated:
      run_blocks(thread, item_begin, item_end, stop, piece);
      break;
  }
  piece.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return piece;
}

std::vector<BookPiece> BookWork::run_all(int thread, std::span<bag::TaskItems const> parts,
                                         std::stop_token const& stop) {
  Thread& mine = *threads_[static_cast<std::size_t>(thread)];
  std::vector<BookPiece> pieces;
  for (auto const& [task, items] : parts) {
    if (stop.stop_requested()) break;
    std::int64_t const row = task.value();
    // Blocks of paths are added to one launch behind the loop; what a launch does not do, as closed
    // forms and solves, runs here at once, on the host.
    if (!mine.launcher || kind(row) != RowKind::simulated) {
      pieces.push_back(run(thread, row, items.begin, items.end, stop));
      continue;
    }
    BookRound const round = rounds_[static_cast<std::size_t>(row)];
    Sampling const sampling = this->sampling(row);
    mine.blocks.clear();
    for (std::int64_t item = items.begin; item < items.end; ++item) {
      mine.blocks.push_back(block_at(sampling, round.samples_from, round.samples_to, item));
    }
    mine.launcher->add(row, worker(thread, row), mine.blocks);
  }
  if (!mine.launcher) return pieces;
  if (stop.stop_requested()) {
    // Or they would be part of this thread's next launch.
    mine.launcher->clear();
  } else {
    std::ranges::move(mine.launcher->run(), std::back_inserter(pieces));
  }
  return pieces;
}

void BookWork::expect_own(BookPiece const& piece) const {
  Estimator const estimator =
      settings_.method == Method::mc_plain ? Estimator::plain : Estimator::controlled;
  expect_within(
      PieceBounds{.rows = rows(),
                  .replicates = static_cast<std::size_t>(replicates_max()),
                  .moments = static_cast<std::size_t>(moment_count(estimator, settings_.greeks))},
      piece);
  Sampling const sampling = this->sampling(piece.row);
  expect_within(RowBounds{.kind = kind(piece.row),
                          .replicates = static_cast<std::size_t>(sampling.replicates),
                          .samples_of_block = sampling.block},
                piece);
  // Another thread may be at a row that is simulated.
  for (RowResult const& one : piece.exact) {
    if (kind(one.row) == kind(piece.row)) continue;
    throw InputError("a result of row " + std::to_string(one.row) + " (the first is 0) of a book",
                     "it is priced in another way", "start the same executable on all images");
  }
}

}  // namespace makespan::asian
