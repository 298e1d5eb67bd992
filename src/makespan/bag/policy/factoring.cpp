// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/policy/factoring.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "makespan/bag/policy/detail/chunk_bounds.hpp"

namespace makespan::bag {

namespace {

constexpr std::array factoring_help{item_s_mean_help, item_s_deviation_help};

// x, the part of what is left that a batch does not exceed: one over it.
double batch_divisor(ChunkRequest const& request, double spread) {
  if (spread == 0.0) return 2.0;
  auto const left = static_cast<double>(request.items_left);
  double const b = request.loop.workers * spread / (2.0 * std::sqrt(left));
  // Both formulas of the header: what stands under the root is twice the first summand.
  double const known = request.step == 0 ? 1.0 : 2.0;
  return known + b * b + b * std::sqrt(b * b + 2.0 * known);
}

}  // namespace

std::span<OptionHelp const> FactoringPolicy::option_help() {
  return factoring_help;
}

FactoringPolicy::FactoringPolicy(OptionValues const& given)
    : times_(CheckedOptions(name, factoring_help, given)) {
}

ChunkSize FactoringPolicy::next_chunk(ChunkRequest const& request) {
  if (request.step == 0) times_.begin(request.loop);
  if (request.step % request.loop.workers == 0) {
    double const share = static_cast<double>(request.items_left) / request.loop.workers;
    chunk_items_ = whole_items(share / batch_divisor(request, times_.spread()), request.items_left);
  }
  return ChunkSize::of_items(std::min(chunk_items_, request.items_left));
}

}  // namespace makespan::bag
