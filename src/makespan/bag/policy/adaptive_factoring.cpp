// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/policy/adaptive_factoring.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "makespan/bag/policy/detail/chunk_bounds.hpp"
#include "makespan/base/contracts.hpp"

namespace makespan::bag {

namespace {

constexpr std::array<OptionHelp, 3> adaptive_factoring_help{{
    {"learning_chunks", OptionKind::whole, 4.0, 2.0, 1e6,
     "chunks that a worker finishes before its measured times count"},
    {"learning_share", OptionKind::real, 0.005, 0.0, 1.0,
     "share of an even share of the loop that such a chunk takes"},
    {"share_max", OptionKind::real, 0.5, 0.001, 1.0,
     "a chunk is at most this share of what the worker would get of the rest; 1 = as published"},
}};

}  // namespace

std::span<OptionHelp const> AdaptiveFactoringPolicy::option_help() {
  return adaptive_factoring_help;
}

AdaptiveFactoringPolicy::AdaptiveFactoringPolicy(OptionValues const& given)
    : AdaptiveFactoringPolicy(CheckedOptions(name, adaptive_factoring_help, given)) {
}

AdaptiveFactoringPolicy::AdaptiveFactoringPolicy(CheckedOptions const& options)
    : learning_chunks_(options.whole("learning_chunks")),
      learning_share_(options.real("learning_share")),
      share_max_(options.real("share_max")) {
}

bool AdaptiveFactoringPolicy::has_learned(TimePerItem const& worker) const {
  return worker.chunks() >= learning_chunks_;
}

double AdaptiveFactoringPolicy::items(ChunkRequest const& request) const {
  TimePerItem const& mine = times_.workers()[static_cast<std::size_t>(request.worker.index)];
  TimePerItem const* fastest = &mine;
  for (TimePerItem const& worker : times_.workers()) {
    if (has_learned(worker) && worker.mean() < fastest->mean()) fastest = &worker;
  }
  // D and 1 / T of the header.
  double d = 0.0;
  double rates = 0.0;
  for (TimePerItem const& worker : times_.workers()) {
    TimePerItem const& known = has_learned(worker) ? worker : *fastest;
    d += known.relative_variance() * known.mean().value();
    rates += 1.0 / known.mean().value();
  }
  double const mu = mine.mean().value();
  double const rest = request.work_left / times_.item_work() / rates;  // T R
  // The formula as a fraction: a difference of two large numbers would lose all of its figures.
  double const formula = 2.0 * rest * rest / (d + 2.0 * rest + std::sqrt(d * d + 4.0 * d * rest));
  return std::min(formula, share_max_ * rest) / mu;
}

ChunkSize AdaptiveFactoringPolicy::next_chunk(ChunkRequest const& request) {
  LoopFacts const& loop = request.loop;
  if (request.step == 0) times_.begin(loop);
  auto const worker = static_cast<std::size_t>(request.worker.index);
  MAKESPAN_EXPECT(worker < times_.workers().size());
  if (!has_learned(times_.workers()[worker]))
    return bounded_work(loop.work * (learning_share_ / loop.workers), request);
  return bounded_work(times_.item_work() * items(request), request);
}

}  // namespace makespan::bag
