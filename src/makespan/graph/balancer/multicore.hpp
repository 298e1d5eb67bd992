// SPDX-License-Identifier: Apache-2.0
#pragma once

// Takes from places that are too late what fits on a place near by.

#include "makespan/graph/balancer/balancer.hpp"

namespace makespan::graph {

// Of MultiCoreLB (L. L. Pilla's slides "Load balancing for parallel multi-core machines with
// non-uniform communication costs", MMMM 2012) only this is published: that it "considers cache
// hierarchy on its decisions". This one does so by where an object may go. M is `tolerance` times
// the mean time of a place, messages included, weighted by speed. Places that take longer than M
// give away objects, the heaviest first: at first to places of their own domain only, with which
// they share a cache, then to those of the same group, level by level (model/places.hpp), then of
// the same node, then to any. Of the places there that would take no more than M with it, an object
// goes to that where all places together take least: so messages are weighed, too. What fits
// nowhere stays.
//
// O(objects of late places · (places + edges of the object)) at each level. Tested by
// tests/graph/balancer/multicore_test.cpp.
class MulticoreBalancer final : public Balancer {
 public:
  static constexpr std::string_view name = "multicore";
  static constexpr std::string_view summary =
      "places that take too long give objects to near places first, level by level of the machine";
  [[nodiscard]] static std::span<OptionHelp const> option_help();

  explicit MulticoreBalancer(OptionValues const& given);

  [[nodiscard]] Mapping map(Graph const& graph, Places const& places) const override;

 private:
  double tolerance_;
};

}  // namespace makespan::graph
