// SPDX-License-Identifier: Apache-2.0
#pragma once

// Greedy that knows how far away the senders of an object's messages are.

#include "makespan/graph/balancer/balancer.hpp"

namespace makespan::graph {

// NucoLB: L. L. Pilla, C. P. Ribeiro, D. Cordeiro et al., "A hierarchical approach for load
// balancing on parallel multi-core systems", ICPP 2012. All places begin with the times of the
// objects that are there now. The heaviest object first, each is taken off its place and put on the
// place p of least L(p) + time there + M(domain of p), with M for the messages that it receives
// from objects as they are placed by then:
//
//   faithful = 1   M = alpha · (Σ messages · NUCO factor, from other domains
//                               − Σ messages, from its own), bytes count nothing
//   faithful = 0   M = Σ (messages · latency + bytes · seconds per byte), from each domain
//
// A domain's best place is the one where the object would end first, so a heap for each domain
// finds what the published code finds by computing M anew for each place. Of equal domains the
// first. Since times are those of objects only, the messages of others do not make a place late.
// O(objects (log objects + domains · rows of DomainTimes) + edges · domains), at most: M is
// computed once for each domain that an object hears from.
//
// Tested by tests/graph/balancer/nuco_test.cpp.
class NucoBalancer final : public Balancer {
 public:
  static constexpr std::string_view name = "nuco";
  static constexpr std::string_view summary =
      "the heaviest object first, each where it ends first with its messages at their distance";
  [[nodiscard]] static std::span<OptionHelp const> option_help();

  explicit NucoBalancer(OptionValues const& given);

  [[nodiscard]] Mapping map(Graph const& graph, Places const& places) const override;

 private:
  explicit NucoBalancer(CheckedOptions const& options);

  bool is_faithful_;
  double alpha_s_;
};

}  // namespace makespan::graph
