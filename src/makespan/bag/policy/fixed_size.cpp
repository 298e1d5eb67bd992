// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/policy/fixed_size.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "makespan/bag/policy/detail/chunk_bounds.hpp"
#include "makespan/bag/policy/modified_fixed_size.hpp"

namespace makespan::bag {

namespace {

constexpr std::array fixed_size_help{item_s_mean_help, item_s_deviation_help, claim_s_help};

}  // namespace

std::span<OptionHelp const> FixedSizePolicy::option_help() {
  return fixed_size_help;
}

FixedSizePolicy::FixedSizePolicy(OptionValues const& given)
    : FixedSizePolicy(CheckedOptions(name, fixed_size_help, given)) {
}

FixedSizePolicy::FixedSizePolicy(CheckedOptions const& options)
    : times_(options), claim_given_(options.real(claim_s_help.name)) {
}

ChunkSize FixedSizePolicy::next_chunk(ChunkRequest const& request) {
  LoopFacts const& loop = request.loop;
  if (request.step == 0) times_.begin(loop);
  Seconds const deviation = times_.deviation();
  if (deviation == Seconds{0.0})
    return ChunkSize::of_items(std::min(modified_fixed_size(loop), request.items_left));
  Seconds const claim = claim_given_ > Seconds{0.0} ? claim_given_ : request.worker.claim_cost;
  auto const workers = static_cast<double>(loop.workers);
  std::int64_t const most = even_share(loop.items, loop.workers);
  // The logarithm of one worker is 0, and its size infinite.
  if (loop.workers == 1) return ChunkSize::of_items(std::min(most, request.items_left));
  double const base = std::numbers::sqrt2 * static_cast<double>(loop.items) * (claim / deviation) /
                      workers / std::sqrt(std::log(workers));
  std::int64_t const size = whole_items(std::cbrt(base * base), most);
  return ChunkSize::of_items(std::min(size, request.items_left));
}

}  // namespace makespan::bag
