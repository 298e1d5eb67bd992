// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/policy/taper.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "makespan/bag/policy/detail/chunk_bounds.hpp"

namespace makespan::bag {

namespace {

constexpr std::array taper_help{
    OptionHelp{"alpha", OptionKind::real, 1.3, 0.0, 100.0,
               "how many standard deviations a chunk leaves room for"},
    OptionHelp{"chunk_items_min", OptionKind::whole, 1.0, 1.0, 1e9,
               "a chunk has at least this many items, until fewer are left"},
    item_s_mean_help,
    item_s_deviation_help,
};

}  // namespace

std::span<OptionHelp const> TaperPolicy::option_help() {
  return taper_help;
}

TaperPolicy::TaperPolicy(OptionValues const& given)
    : TaperPolicy(CheckedOptions(name, taper_help, given)) {
}

TaperPolicy::TaperPolicy(CheckedOptions const& options)
    : times_(options),
      alpha_(options.real("alpha")),
      chunk_items_min_(options.whole("chunk_items_min")) {
}

ChunkSize TaperPolicy::next_chunk(ChunkRequest const& request) {
  if (request.step == 0) times_.begin(request.loop);
  double const share = static_cast<double>(request.items_left) / request.loop.workers;
  double const v = alpha_ * times_.spread();
  // x + v^2/2 - v sqrt(2 x + v^2/4) as a fraction: the difference of two large numbers would lose
  // all of its figures when the spread is large.
  double const root = v * std::sqrt(2.0 * share + v * v / 4.0);
  double const chunk = share * (share - v * v) / (share + v * v / 2.0 + root);
  std::int64_t const items = std::max(whole_items(chunk, request.items_left), chunk_items_min_);
  return ChunkSize::of_items(std::min(items, request.items_left));
}

}  // namespace makespan::bag
