// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where the places of a run are, and what messages between them cost.

#include <span>
#include <vector>

#include "makespan/graph/model/assumed_message_costs.hpp"
#include "makespan/graph/model/places.hpp"

namespace makespan::graph {

struct PlaceLayout {
  std::vector<int> domain{};      // by place
  std::vector<int> kind{};        // by place, of its core; empty: all alike
  std::vector<int> memory{};      // by place, that its objects are in: its image's; empty: unknown
  std::vector<Domain> domains{};  // all that `domain` names
  DomainCosts costs{};            // between domains

  friend bool operator==(PlaceLayout const&, PlaceLayout const&) = default;
};

// Each image a domain of its `threads` places. `node`, by image: images of one host have the same
// number. Tested by tests/graph/rebalance/place_layout_test.cpp.
[[nodiscard]] PlaceLayout assumed_layout(int threads, std::span<int const> node,
                                         AssumedMessageCosts const& costs = {});

// That of a machine that is known already.
[[nodiscard]] PlaceLayout layout_of(Places const& places);

// Its places, at speed 1, all of one kind. Throws InputError where they are none (Places).
[[nodiscard]] Places places_of(PlaceLayout const& layout);

}  // namespace makespan::graph
