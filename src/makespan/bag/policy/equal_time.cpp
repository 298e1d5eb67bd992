// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/policy/equal_time.hpp"

#include <algorithm>
#include <array>

namespace makespan::bag {

namespace {

// In virtual time (tests/bag/protocol/virtual_time_test.cpp: 8 workers and one 40 times as fast,
// costs as predicted) both end within 1.01 of the bound, the quarter with fewer claims. What
// differs is the harm when a prediction fails: a worker that slows to a tenth half way costs up to
// 40 % at a quarter and 2 % at an eighth, and a small or uneven bag has fewer chunks left to make
// up for it.
constexpr double fraction_big = 1.0 / 4.0;
constexpr double fraction_small = 1.0 / 8.0;

// A bag is small below this many items for each worker, and uneven above this spread of the cost of
// an item.
constexpr double small_items_per_worker = 50.0;
constexpr double uneven_item_cost_spread = 0.5;

// A chunk lasts at least this many claims, so that claiming costs at most 5 % even at the very end.
constexpr double claims_per_chunk_min = 20.0;

// And the longest at most so many claims, where those take longer than what the user says: far from
// the end claims over a slow network then cost half a percent, and 5 % only at the very end.
constexpr double claims_per_chunk_max = 200.0;

constexpr std::array<OptionHelp, 3> equal_time_help{{
    {"fraction", OptionKind::real, 0.0, 0.0, 1.0,
     "share of the remaining time that one chunk takes; 0 = 1/4, or 1/8 for small or very uneven "
     "bags"},
    {"chunk_s_min", OptionKind::real, 5e-5, 0.0, 3600.0,
     "a chunk takes at least this long [s], and at least 20 claims"},
    {"chunk_s_max", OptionKind::real, 0.1, 1e-6, 3600.0,
     "a chunk takes at most this long [s], or 200 claims, so that progress is seen"},
}};

}  // namespace

std::span<OptionHelp const> EqualTimePolicy::option_help() {
  return equal_time_help;
}

EqualTimePolicy::EqualTimePolicy(OptionValues const& given)
    : EqualTimePolicy(CheckedOptions(name, equal_time_help, given)) {
}

EqualTimePolicy::EqualTimePolicy(CheckedOptions const& options)
    : fraction_(options.real("fraction")),
      chunk_min_(options.real("chunk_s_min")),
      chunk_max_(options.real("chunk_s_max")) {
}

double EqualTimePolicy::fraction_for(LoopFacts const& loop) const {
  if (fraction_ > 0.0) return fraction_;
  bool const small = static_cast<double>(loop.items) < small_items_per_worker * loop.workers;
  bool const uneven = loop.item_cost_spread > uneven_item_cost_spread;
  return small || uneven ? fraction_small : fraction_big;
}

ChunkSize EqualTimePolicy::chunk_for(ChunkRequest const& request) const {
  WorkerFacts const& worker = request.worker;
  if (worker.measured != Measured::yes) return ChunkSize::of_items(1);
  Seconds const rest = request.work_left / worker.speed_total;
  Seconds const shortest = std::max(chunk_min_, worker.claim_cost * claims_per_chunk_min);
  Seconds const longest = std::max(chunk_max_, worker.claim_cost * claims_per_chunk_max);
  // Not std::clamp: the user's shortest may exceed the longest, and it wins.
  Seconds const chunk = std::max(std::min(rest * fraction_for(request.loop), longest), shortest);
  return ChunkSize::of_work(std::min(chunk * worker.speed, request.work_left));
}

}  // namespace makespan::bag
