// SPDX-License-Identifier: Apache-2.0
#pragma once

// Moves objects of late places one by one, to places drawn by how long the phase would then be.

#include <cstdint>
#include <span>

#include "makespan/base/random_draws.hpp"
#include "makespan/graph/balancer/balancer.hpp"
#include "makespan/graph/times/move_costs.hpp"

namespace makespan::graph {

// HwTopoLB: L. L. Pilla, C. P. Ribeiro, P. Coucheney et al., "Asymptotically optimal load balancing
// for hierarchical multi-core systems", ICPADS 2012, https://doi.org/10.1109/ICPADS.2012.41, and
// FGCS 2014. As often as there are objects that may move: with probability alpha the latest place,
// else any; of it with probability beta the object that costs most, else any; a new place p for it
// by the Gibbs law exp(-C(p) / T), C(p) the length of the phase with it there.
//
//   faithful = 1   As the published code: T is `temperature` in seconds, doubled until the least of
//                  these numbers is above 0; it ends when the first object is drawn to stay where
//                  it is; neither the last place nor the last object of one can be drawn as "any";
//                  the answer is the last mapping.
//   faithful = 0   T is `temperature` times the present C, and falls to 0 in equal steps, without
//                  which no optimum can be expected; it does not end when an object is drawn to
//                  stay; every place and object can be drawn; the answer is the best mapping seen.
//
// The published code computes each C anew, O(places² + places · edges of the object);
// move_costs.hpp keeps totals. An iteration is O(objects of a place + places + edges of the object
// + places it talks to · domains). Tested by tests/graph/balancer/hw_topo_test.cpp.
class HwTopoBalancer final : public Balancer {
 public:
  static constexpr std::string_view name = "hw_topo";
  static constexpr std::string_view summary =
      "moves objects of late places to places drawn by how long the phase would then be";
  [[nodiscard]] static std::span<OptionHelp const> option_help();

  explicit HwTopoBalancer(OptionValues const& given);

  [[nodiscard]] Mapping map(Graph const& graph, Places const& places) const override;

 private:
  explicit HwTopoBalancer(CheckedOptions const& options);

  [[nodiscard]] int any_of(int count, RandomDraws& draws) const;
  [[nodiscard]] int chosen_place(MoveCosts const& costs, int places, RandomDraws& draws) const;
  [[nodiscard]] int chosen_object(MoveCosts const& costs, int place, RandomDraws& draws) const;

  double alpha_;
  double beta_;
  double temperature_;
  std::uint64_t seed_;
  bool is_faithful_;
};

// One of the numbers of `longest_s`, by exp(-longest / temperature); with a temperature of 0 the
// first of the least. `draw` is uniform in [0, 1).
[[nodiscard]] int gibbs_drawn(std::span<double const> longest_s, double temperature_s, double draw);

}  // namespace makespan::graph
