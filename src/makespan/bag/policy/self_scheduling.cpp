// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/policy/self_scheduling.hpp"

#include <algorithm>
#include <array>

namespace makespan::bag {

namespace {

constexpr std::array<OptionHelp, 1> help{{
    {"chunk_items", OptionKind::whole, 1.0, 1.0, 1e9, "items of a chunk, until fewer are left"},
}};

}  // namespace

std::span<OptionHelp const> SelfSchedulingPolicy::option_help() {
  return help;
}

SelfSchedulingPolicy::SelfSchedulingPolicy(PolicyOptions const& given)
    : chunk_items_(CheckedOptions(name, help, given).whole("chunk_items")) {
}

ChunkSize SelfSchedulingPolicy::next_chunk(ChunkRequest const& request) {
  return ChunkSize::of_items(std::min(chunk_items_, request.items_left));
}

}  // namespace makespan::bag
