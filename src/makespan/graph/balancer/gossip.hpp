// SPDX-License-Identifier: Apache-2.0
#pragma once

// Places that hear by gossip who has little to do, and give to those at random.

#include <cstdint>
#include <string_view>

#include "makespan/graph/balancer/place_decision.hpp"

namespace makespan::graph {

// GrapevineLB: H. Menon, L. Kalé, "A distributed dynamic load balancer for iterative applications",
// SC 2013, https://doi.org/10.1145/2503210.2503284 (read: the abstract, and what its successors say
// of it). Once, by a tree of places, the mean of their times, weighted by speed. Then in each
// iteration:
//
//   rounds     places that take less than the mean tell `fanout` places drawn at random, and these,
//              once in each round, tell others all that they know by then
//   transfers  a place that takes more than `threshold` times the mean goes through its objects,
//              the heaviest first. For each it draws a place that it knows of, by how much work
//              that has to spare as far as it knows, and gives the object away if the other stays
//              below that limit, or takes less with it than the giver did: the criterion of
//              J. Lifflander et al., CLUSTER 2021, https://doi.org/10.1109/Cluster48925.2021.00039,
//              without which objects that are longer than the mean stay where they are. It ends
//              when it is below the limit, or out of objects. Givers do not know of each other: a
//              place that others have filled meanwhile gives back.
//
// Last, a place that has been given an object asks for it where it is. So the longest time never
// grows. Messages between objects are not looked at. A place sends O(iterations · (rounds · fanout
// + receivers)) messages. What comes of it depends on the order in which they arrive. Tested by
// tests/graph/balancer/gossip_test.cpp.
class GossipBalancer final : public DistributedBalancer {
 public:
  static constexpr std::string_view name = "gossip";
  static constexpr std::string_view summary =
      "places hear by gossip who has time to spare, and give to them at random";
  [[nodiscard]] static std::span<OptionHelp const> option_help();

  explicit GossipBalancer(OptionValues const& given);

  [[nodiscard]] int steps() const override;
  [[nodiscard]] std::unique_ptr<PlaceDecision> at_place(DecisionView view) const override;
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
