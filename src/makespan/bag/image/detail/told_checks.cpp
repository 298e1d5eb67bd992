// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/image/detail/told_checks.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "makespan/base/error.hpp"
#include "makespan/base/quantity.hpp"

namespace makespan::bag {

namespace {

// Limits far beyond any bag (its items are counted in 40 bits), within which sums over all images
// and clocks cannot overflow.
constexpr std::int64_t count_max = std::int64_t{1} << 40;
constexpr std::int64_t items_max = std::int64_t{1} << 53;
constexpr std::chrono::steady_clock::duration clock_max{std::int64_t{1} << 60};
constexpr Seconds time_max{1e9};  // 30 years

// Work is a difference of sums, and as far off as the last bits of these.
constexpr double rounding = 1e-9;
constexpr double work_min_of_item = 1e-20;

void expect_told(bool is_right, int worker, std::string const& why) {
  if (is_right) return;
  throw InputError("what is told of worker " + std::to_string(worker) + " of a bag", why,
                   "start the same executable on all images");
}

template <class Kind>
bool is_amount(Quantity<Kind> amount) {
  return std::isfinite(amount.value()) && amount.value() >= 0.0;
}

bool is_time(Seconds time) {
  return is_amount(time) && time <= time_max;
}

bool is_count(std::int64_t count) {
  return count >= 0 && count <= count_max;
}

bool is_piece(OverduePiece const& piece, std::size_t threads) {
  // One without a prediction may take any time.
  bool const is_predicted = piece.predicted >= Seconds{};
  return piece.thread >= 0 && static_cast<std::size_t>(piece.thread) < threads &&
         is_amount(piece.at_it) && is_predicted;
}

// Runs that follow each other are joined, and their items added up.
bool are_spans(std::span<trace::Span const> spans) {
  std::int64_t items_left = items_max;
  return std::ranges::all_of(spans, [&](trace::Span const& span) {
    bool const is_kind = span.kind <= trace::SpanKind::idle;
    bool const is_while = span.begin <= span.end && span.begin.time_since_epoch() >= -clock_max &&
                          span.end.time_since_epoch() <= clock_max;
    if (!is_kind || !is_while || span.items < 0 || span.items > items_left) return false;
    items_left -= span.items;
    return true;
  });
}

bool are_numbers(TeamReport const& report) {
  return std::ranges::all_of(report.busy, is_amount<SecondsKind>) &&
         std::ranges::all_of(report.work, is_amount<WorkKind>) && is_amount(report.makespan) &&
         is_amount(report.ideal) && is_amount(report.speed) && is_amount(report.work_done) &&
         is_count(report.claims) && is_count(report.steals);
}

}  // namespace

void expect_sound(WorkerFacts const& worker) {
  bool const is_known_or_not = worker.measured <= Measured::yes;
  expect_told(is_known_or_not && is_amount(worker.speed) && is_amount(worker.speed_total) &&
                  is_time(worker.claim_cost),
              worker.index, "its speed, or what a claim takes it, is no number");
}

void expect_sound(ChunkReport const& report, LoopFacts const& loop) {
  expect_told(report.items > 0 && report.items <= loop.items, report.worker,
              "a chunk of it has no item, or more than the bag");
  Work const least = loop.work / static_cast<double>(loop.items) * work_min_of_item;
  bool const is_of_bag = report.work >= Work{} && report.work <= loop.work * (1.0 + rounding) &&
                         (report.work == Work{} || report.work >= least);
  expect_told(is_of_bag && is_time(report.computing) && is_time(report.with_claim), report.worker,
              "the work of a chunk, or the time that it took, is no number that the bag allows");
}

void expect_fits(ImageRoster const& roster, int image, ImageOutcome const& outcome) {
  auto const at = static_cast<std::size_t>(image);
  int const devices = roster.first_device[at + 1] - roster.first_device[at];
  auto const threads = static_cast<std::size_t>(roster.threads_of(image));
  TeamReport const& report = outcome.report;
  bool const has_devices = std::ranges::all_of(
      report.failed_devices, [&](int device) { return device >= 0 && device < devices; });
  bool const has_threads = report.busy.size() <= threads &&
                           report.work.size() == report.busy.size() &&
                           outcome.spans.size() <= threads;
  bool const has_overdue = std::ranges::all_of(report.overdue, [&](OverduePiece const& piece) {
    return is_piece(piece, report.busy.size());
  });
  std::string const problem = "what image " + std::to_string(image) + " says of its part in a bag";
  if (!has_devices || !has_threads || !has_overdue) {
    throw InputError(problem,
                     "it has " + std::to_string(devices) + " devices and " +
                         std::to_string(threads) + " threads",
                     "start the same executable on all images");
  }
  if (are_numbers(report) && std::ranges::all_of(outcome.spans, are_spans)) return;
  throw InputError(problem, "a time, a count or a span of it is none that a bag has",
                   "start the same executable on all images");
}

}  // namespace makespan::bag
