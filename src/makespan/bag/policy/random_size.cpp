// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/policy/random_size.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "makespan/bag/policy/detail/chunk_bounds.hpp"

namespace makespan::bag {

namespace {

constexpr std::array<OptionHelp, 3> random_size_help{{
    {"seed", OptionKind::whole, 1.0, 0.0, 1e15, "another seed, another sequence"},
    {"chunk_items_min", OptionKind::whole, 0.0, 0.0, 1e9,
     "the smallest chunk; 0 = a hundredth of an even share"},
    {"chunk_items_max", OptionKind::whole, 0.0, 0.0, 1e15,
     "the largest chunk, unless the smallest is larger; 0 = half an even share"},
}};

}  // namespace

std::span<OptionHelp const> RandomSizePolicy::option_help() {
  return random_size_help;
}

RandomSizePolicy::RandomSizePolicy(OptionValues const& given)
    : RandomSizePolicy(CheckedOptions(name, random_size_help, given)) {
}

RandomSizePolicy::RandomSizePolicy(CheckedOptions const& options)
    : draws_(static_cast<std::uint64_t>(options.whole("seed"))),
      items_min_(options.whole("chunk_items_min")),
      items_max_(options.whole("chunk_items_max")) {
}

std::int64_t RandomSizePolicy::chunk_at(LoopFacts const& loop, std::int64_t step) const {
  std::int64_t const workers = loop.workers;
  std::int64_t const smallest =
      std::max<std::int64_t>(1, items_min_ > 0 ? items_min_ : loop.items / (100 * workers));
  std::int64_t const largest =
      std::max(smallest, items_max_ > 0 ? items_max_ : loop.items / (2 * workers));
  auto const sizes = static_cast<double>(largest - smallest + 1);
  double const above = std::floor(draws_.at(step) * sizes);
  return whole_items(static_cast<double>(smallest) + above, loop.items);
}

}  // namespace makespan::bag
