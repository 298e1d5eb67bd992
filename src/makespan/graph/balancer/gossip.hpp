// SPDX-License-Identifier: Apache-2.0
#pragma once

// Places that hear by gossip who has little to do, and give to those at random.

#include <cstdint>

#include "makespan/graph/balancer/balancer.hpp"

namespace makespan::graph {

// GrapevineLB: H. Menon, L. Kalé, "A distributed dynamic load balancer for iterative applications",
// SC 2013, https://doi.org/10.1145/2503210.2503284 (read: the abstract, and what its successors say
// of it), simulated in one process. In each iteration:
//
//   rounds     places that take less than the mean know so of themselves; in each round a place
//              that knows of any tells all it knows to `fanout` places drawn at random
//   transfers  a place that takes more than `threshold` times the mean goes through its objects,
//              the heaviest first. For each it draws a place that it knows of, by how much work
//              that has to spare as far as it knows, and gives the object away if the other stays
//              below that limit; until it is below the limit itself, or out of objects
//
// Here the mean is weighted by speed, the limit a time, what is spared work. Givers do not know of
// each other, as in the real thing; so an iteration can make things worse, and the best mapping
// seen is the answer. Messages are not looked at.
//
// O(iterations · (rounds · fanout · places² / 64 + objects log places + transfers · places)), and
// places² bits of memory. Tested by tests/graph/balancer/gossip_test.cpp.
class GossipBalancer final : public Balancer {
 public:
  static constexpr std::string_view name = "gossip";
  static constexpr std::string_view summary =
      "places hear by gossip who has time to spare, and give to them at random";
  [[nodiscard]] static std::span<OptionHelp const> option_help();

  explicit GossipBalancer(OptionValues const& given);

  [[nodiscard]] Mapping map(Graph const& graph, Places const& places) const override;
  [[nodiscard]] bool reads_messages() const override { return false; }

 private:
  explicit GossipBalancer(CheckedOptions const& options);

  int fanout_;
  int rounds_;
  int iterations_;
  double threshold_;
  std::uint64_t seed_;
};

}  // namespace makespan::graph
