// SPDX-License-Identifier: Apache-2.0
#pragma once

// Objects anywhere: what a balancer must beat to be worth its name.

#include <cstdint>

#include "makespan/graph/balancer/balancer.hpp"

namespace makespan::graph {

// Each object to a place drawn by work_shares.hpp's shares: on equal places uniformly, as Charm++'s
// RandCentLB. The draw is a hash of the seed and the object's number. O(objects log places).
// Tested by tests/graph/balancer/random_place_test.cpp.
class RandomPlaceBalancer final : public Balancer {
 public:
  static constexpr std::string_view name = "random";
  static constexpr std::string_view summary =
      "each object to a random place, fast places more often";
  [[nodiscard]] static std::span<OptionHelp const> option_help();

  explicit RandomPlaceBalancer(OptionValues const& given);

  [[nodiscard]] Mapping map(Graph const& graph, Places const& places) const override;
  [[nodiscard]] bool reads_messages() const override { return false; }

 private:
  std::uint64_t seed_;
};

}  // namespace makespan::graph
