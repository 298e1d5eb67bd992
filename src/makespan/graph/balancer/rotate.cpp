// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/rotate.hpp"

#include <utility>
#include <vector>

#include "makespan/graph/balancer/own_moves.hpp"

namespace makespan::graph {

std::unique_ptr<PlaceDecision> RotateBalancer::at_place(DecisionView view) const {
  int const next = (view.place + 1) % view.places->count();
  std::vector<KnownObject> objects;
  for (KnownObject each : view.own.objects) {
    each.to = next;
    if (each.is_fixed == 0 && next != view.place) objects.push_back(each);
  }
  return std::make_unique<OwnMoves>(std::move(objects));
}

}  // namespace makespan::graph
