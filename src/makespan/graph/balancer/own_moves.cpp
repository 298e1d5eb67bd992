// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/own_moves.hpp"

#include <algorithm>
#include <utility>

#include "makespan/base/number_map.hpp"

namespace makespan::graph {

OwnMoves::OwnMoves(std::vector<KnownObject> objects) {
  outcome_.leaving = std::move(objects);
}

void OwnMoves::step(int /*number*/, DecisionOutbox& outbox) {
  NumberMap<std::vector<KnownObject>> of_place;
  for (KnownObject const& each : outcome_.leaving) of_place[each.to].push_back(each);
  of_place.for_each([&](int place, std::vector<KnownObject> const& objects) {
    outbox.send(place, {.known = {.objects = objects}});
  });
}

void OwnMoves::take(int /*from*/, DecisionMessage message, DecisionOutbox& /*outbox*/) {
  outcome_.arriving.insert(outcome_.arriving.end(), message.known.objects.begin(),
                           message.known.objects.end());
}

DecisionOutcome OwnMoves::outcome() {
  for (auto* const objects : {&outcome_.leaving, &outcome_.arriving}) {
    std::ranges::sort(*objects, {}, &KnownObject::object);
  }
  return outcome_;
}

}  // namespace makespan::graph
