// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/policy/random_size.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "makespan/bag/policy/chunk_bounds.hpp"

namespace makespan::bag {

namespace {

constexpr std::array<OptionHelp, 3> help{{
    {"seed", OptionKind::whole, 1.0, 0.0, 1e15, "another seed, another sequence"},
    {"chunk_items_min", OptionKind::whole, 0.0, 0.0, 1e9,
     "the smallest chunk; 0 = a hundredth of an even share"},
    {"chunk_items_max", OptionKind::whole, 0.0, 0.0, 1e15,
     "the largest chunk, unless the smallest is larger; 0 = half an even share"},
}};

std::uint64_t mixed(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
  return bits ^ (bits >> 31U);
}

// Uniform in [0, 1).
double uniform(std::uint64_t seed, std::int64_t step) {
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;
  std::uint64_t const stream = mixed(seed * golden + golden);
  std::uint64_t const bits = mixed(stream + static_cast<std::uint64_t>(step) * golden);
  return static_cast<double>(bits >> 11U) * 0x1p-53;
}

}  // namespace

std::span<OptionHelp const> RandomSizePolicy::option_help() {
  return help;
}

RandomSizePolicy::RandomSizePolicy(OptionValues const& given)
    : RandomSizePolicy(CheckedOptions(name, help, given)) {
}

RandomSizePolicy::RandomSizePolicy(CheckedOptions const& options)
    : seed_(static_cast<std::uint64_t>(options.whole("seed"))),
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
  double const above = std::floor(uniform(seed_, step) * sizes);
  return whole_items(static_cast<double>(smallest) + above, loop.items);
}

}  // namespace makespan::bag
