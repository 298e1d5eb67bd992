// SPDX-License-Identifier: Apache-2.0
#pragma once

// Greedy that knows how far away the senders of an object's messages are, in seconds.

#include "makespan/graph/balancer/balancer.hpp"

namespace makespan::graph {

// The rule of NucoLB (nucolb.hpp) with what a message takes in place of its cost
// (list_schedule.hpp):
//
//   M = Σ (messages · receiver's time + bytes · seconds per byte), from each domain
//
// The receiver's time of a message is its latency where it is not known (DomainCosts).
//
// Tested by tests/graph/balancer/nuco_test.cpp.
class NucoBalancer final : public Balancer {
 public:
  static constexpr std::string_view name = "nuco";
  static constexpr std::string_view summary =
      "the heaviest object first, each where it ends first with its messages at their distance";
  [[nodiscard]] static std::span<OptionHelp const> option_help() { return {}; }

  explicit NucoBalancer(OptionValues const& given) { expect_no_options(name, given); }

  [[nodiscard]] Mapping map(Graph const& graph, Places const& places) const override;
};

}  // namespace makespan::graph
