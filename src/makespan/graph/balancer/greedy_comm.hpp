// SPDX-License-Identifier: Apache-2.0
#pragma once

// Greedy that counts messages, wherever they go.

#include "makespan/graph/balancer/balancer.hpp"

namespace makespan::graph {

// Charm++'s GreedyCommLB, as it was until 2019 (commit 33be38d6f removed it). The heaviest object
// first. It may go where it would end first, or to a place of an object that it talks to and that
// has been placed; of these, to the place of least time with it and with its messages to and from
// objects placed elsewhere, each at alpha + beta · bytes. All those messages are then part of the
// time of that place, and of the place at their other end.
//
// All places are equally far from each other here: see nuco.hpp for what is not so. Messages
// between two objects that may not move count nowhere. O(objects log objects + edges log places).
//
// Tested by tests/graph/balancer/greedy_comm_test.cpp.
class GreedyCommBalancer final : public Balancer {
 public:
  static constexpr std::string_view name = "greedy_comm";
  static constexpr std::string_view summary =
      "as greedy, but messages to other places cost time, all the same";
  [[nodiscard]] static std::span<OptionHelp const> option_help();

  explicit GreedyCommBalancer(OptionValues const& given);

  [[nodiscard]] Mapping map(Graph const& graph, Places const& places) const override;

 private:
  explicit GreedyCommBalancer(CheckedOptions const& options);

  double alpha_s_;
  double beta_s_byte_;
};

}  // namespace makespan::graph
