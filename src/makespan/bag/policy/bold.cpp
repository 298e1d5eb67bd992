// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/policy/bold.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "makespan/bag/policy/detail/chunk_bounds.hpp"
#include "makespan/base/contracts.hpp"

namespace makespan::bag {

namespace {

constexpr std::array bold_help{item_s_mean_help, item_s_deviation_help, claim_s_help};

// The state of the loop in the paper's letters; c1 is h in items times 1 / ln 2, above 0.
struct Terms {
  double rest;        // R
  double workers;     // P
  double unfinished;  // M
  double estimated;   // r
  double spread;      // sigma / mu
  double c1;
};

double bold_items(Terms const& x) {
  double const q = x.rest / x.workers;
  // Below it ln q, by which d divides, is not above 0.
  if (q <= 1.0) return 1.0;
  double const a = 2.0 * x.spread * x.spread;
  double const b = 8.0 * a > 1.0 ? 8.0 * a * std::log(8.0 * a) : 0.0;
  double const c2 = std::sqrt(2.0 * std::numbers::pi) * x.c1;
  double const t = x.estimated / x.workers;
  double const v = q / (b + q);
  double const d = x.rest / (1.0 + 1.0 / std::log(q) - v);
  if (d <= c2) return t;
  double const s = a * std::log(d / c2) * (1.0 + x.unfinished / (x.estimated * x.workers));
  // t + s/2 - sqrt(s (t + s/4)) as a fraction, which keeps its figures when s is large.
  double const cut = t * t / (t + s / 2.0 + std::sqrt(s * (t + s / 4.0)));
  double const more = x.c1 * std::log((b > 0.0 ? b : 1.0) * v * std::log(q));
  return std::min(t, cut + std::max(0.0, more));
}

}  // namespace

std::span<OptionHelp const> BoldPolicy::option_help() {
  return bold_help;
}

BoldPolicy::BoldPolicy(OptionValues const& given)
    : BoldPolicy(CheckedOptions(name, bold_help, given)) {
}

BoldPolicy::BoldPolicy(CheckedOptions const& options)
    : times_(options), claim_given_(options.real(claim_s_help.name)) {
}

void BoldPolicy::begin_loop(LoopFacts const& loop) {
  times_.begin(loop);
  progress_.assign(static_cast<std::size_t>(loop.workers), {});
  items_unfinished_ = loop.items;
}

// Everyone began when the loop did, so the time reported by the worker that claims is the time now,
// and another is in its chunk since what itself has reported.
double BoldPolicy::items_unfinished(ChunkRequest const& request, Seconds claim) const {
  Seconds const now = progress_[static_cast<std::size_t>(request.worker.index)].reported;
  auto unfinished = static_cast<double>(request.items_left);
  for (Progress const& worker : progress_) {
    auto const held = static_cast<double>(worker.items_held);
    Seconds const takes = times_.mean() * held + claim;
    unfinished += held * std::clamp(1.0 - (now - worker.reported) / takes, 0.0, 1.0);
  }
  return unfinished;
}

double BoldPolicy::items(ChunkRequest const& request) const {
  auto const rest = static_cast<double>(request.items_left);
  auto const workers = static_cast<double>(request.loop.workers);
  Seconds const mean = times_.mean();
  Seconds const claim = claim_given_ > Seconds{0.0} ? claim_given_ : request.worker.claim_cost;
  if (claim == Seconds{0.0}) return 1.0;
  if (mean == Seconds{0.0}) return rest / (2.0 * workers);
  double const unfinished = static_cast<double>(items_unfinished_);
  return bold_items({.rest = rest,
                     .workers = workers,
                     .unfinished = std::max(unfinished, rest),
                     .estimated = std::max(items_unfinished(request, claim), rest),
                     .spread = times_.spread(),
                     .c1 = claim / mean / std::numbers::ln2});
}

ChunkSize BoldPolicy::next_chunk(ChunkRequest const& request) {
  if (request.step == 0) begin_loop(request.loop);
  MAKESPAN_EXPECT(static_cast<std::size_t>(request.worker.index) < progress_.size());
  std::int64_t const chunk = whole_items(items(request), request.items_left);
  // It holds nothing when it claims, whatever was estimated.
  progress_[static_cast<std::size_t>(request.worker.index)].items_held = chunk;
  return ChunkSize::of_items(chunk);
}

void BoldPolicy::chunk_finished(ChunkReport const& report) {
  times_.record(report);
  Progress& mine = progress_[static_cast<std::size_t>(report.worker)];
  mine.items_held = std::max<std::int64_t>(0, mine.items_held - report.items);
  mine.reported += report.with_claim;
  items_unfinished_ = std::max<std::int64_t>(0, items_unfinished_ - report.items);
}

}  // namespace makespan::bag
