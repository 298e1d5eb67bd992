// SPDX-License-Identifier: Apache-2.0
// How results come in: of this image's threads, and of other images.
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

#include "makespan/apps/asian/run/detail/pricing_engine.hpp"
#include "makespan/base/error.hpp"

namespace makespan::asian {

void PricingRun::Engine::unpack(std::span<std::byte const> bytes) {
  // Of another image: each piece is checked before it gets near the book (docs/decisions/0090).
  while (!bytes.empty()) {
    BookPiece piece = take_piece(bytes);
    work_.expect_own(piece);
    // With the worker beyond those of the team's threads, which price meanwhile. Messages are
    // unpacked one at a time (bag/image/detail/completion_server.cpp).
    take(own_team().threads(), std::move(piece));
  }
  work_.forget_estimators(own_team().threads());
}

void PricingRun::Engine::take(int thread, BookPiece&& piece) {
  if (!piece.exact.empty()) return take_exact(piece);
  std::int64_t const row = piece.row;
  std::int64_t const samples = piece.samples;
  OptionState& option = state(row);
  bool const is_last = add_to(option, std::move(piece));
  path_steps_ += samples * work_.sampling(row).paths_per_sample * work_.steps(row);
  // work_of() counts so many samples of each replicate; the piece's are those of some.
  work_done_ += work_.work_of(row, 0, samples).value() / work_.sampling(row).replicates;
  // The last to come has seen all others' moments: each counted down with the mutex held.
  if (is_last) end_round(thread, row, option);
}

// Rows without samples end with their piece: no count of blocks is kept for them.
void PricingRun::Engine::take_exact(BookPiece const& piece) {
  work_done_ += work_.work_of(piece.row, 0, piece.items).value();
  double const seconds = piece.seconds / static_cast<double>(piece.exact.size());
  for (RowResult const& one : piece.exact) {
    OptionState& option = state(one.row);
    if (option.is_priced.exchange(true)) {
      throw InputError("a result of row " + std::to_string(one.row) + " (the first is 0) of a book",
                       "it has one", "start the same executable on all images");
    }
    option.finished = true;
    store(one.row, one.status, one.result, 0, seconds);
  }
}

// What another image says that it has finished counts, whatever it brings of it.
void PricingRun::Engine::expect_all_come(bag::Bag const& wave) {
  for (bag::Segment const& segment : wave.segments()) {
    std::int64_t const row = segment.task.value();
    bool const has_all = work_.kind(row) == RowKind::simulated
                             ? state(row).blocks_left == 0
                             : work_.all_of_task(row, [this](std::int64_t one) {
                                 return state(one).is_priced.load();
                               });
    if (has_all) continue;
    throw InputError("row " + std::to_string(row) + " (the first is 0) of a book",
                     "results of it have not come from the image that had them",
                     "start the same executable on all images");
  }
}

// Whether these are the last blocks of the option's round.
bool PricingRun::Engine::add_to(OptionState& option, BookPiece&& piece) {
  std::lock_guard const lock{option.mutex};
  if (piece.items > option.blocks_left) {
    throw InputError(std::to_string(piece.items) + " blocks of row " + std::to_string(piece.row) +
                         " (the first is 0) of a book",
                     std::to_string(option.blocks_left) + " are left of its round",
                     "start the same executable on all images");
  }
  option.blocks_left -= piece.items;
  option.sum.row = piece.row;
  option.sum.add(std::move(piece));
  return option.blocks_left == 0;
}

void PricingRun::Engine::end_round(int thread, std::int64_t row, OptionState& option) {
  // No other thread is at the option any more: all blocks of its round have been counted.
  OptionEstimate const estimator = work_.estimator(thread, row);
  Contract const contract = work_.contract(row);
  Sampling const sampling = work_.sampling(row);
  auto const moments =
      totals_of(option.sum, static_cast<std::size_t>(sampling.replicates), option.samples_to);
  // Sums are those of all rounds so far, not of this one alone.
  std::int64_t const samples = option.samples_to;
  Estimate const estimate = estimator.estimate_from(moments, samples);
  Progress const progress{samples, estimator.price_error(estimate), estimate.exercised,
                          estimator.lasting_error()};
  std::int64_t const next = next_round(contract, sampling, progress);
  if (next > samples) {
    // The sums stay: the next round adds blocks behind those that are there.
    work_total_ += work_.work_of(row, samples, next).value();
    option.samples_from = samples;
    option.samples_to = next;
    return;
  }
  bool const met = contract.paths > 0 || progress.std_error <= contract.std_error;
  option.finished = true;
  option.sum.trees = {};
  store(row, met ? RowStatus::ok : RowStatus::max_paths_reached,
        estimator.result_from(estimate, samples),
        samples * sampling.paths_per_sample * sampling.replicates, option.sum.seconds);
}

}  // namespace makespan::asian
