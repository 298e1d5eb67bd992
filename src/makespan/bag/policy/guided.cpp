// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/policy/guided.hpp"

#include <algorithm>
#include <array>

#include "makespan/bag/policy/detail/chunk_bounds.hpp"

namespace makespan::bag {

namespace {

constexpr std::array<OptionHelp, 1> guided_help{{
    {"chunk_items_min", OptionKind::whole, 1.0, 1.0, 1e9,
     "a chunk has at least this many items, until fewer are left"},
}};

}  // namespace

std::span<OptionHelp const> GuidedPolicy::option_help() {
  return guided_help;
}

GuidedPolicy::GuidedPolicy(OptionValues const& given)
    : chunk_items_min_(CheckedOptions(name, guided_help, given).whole("chunk_items_min")) {
}

ChunkSize GuidedPolicy::chunk_for(ChunkRequest const& request) const {
  std::int64_t const share = even_share(request.items_left, request.loop.workers);
  return ChunkSize::of_items(std::min(std::max(share, chunk_items_min_), request.items_left));
}

}  // namespace makespan::bag
