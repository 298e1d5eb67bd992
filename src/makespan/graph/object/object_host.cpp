// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/object_host.hpp"

#include <vector>

namespace makespan::graph {

Places ObjectHost::known_places() const {
  std::vector<Place> places;
  for (int const domain : plan_.layout.domain) places.push_back({.domain = domain});
  return Places(std::move(places), plan_.layout.domains, plan_.layout.costs);
}

}  // namespace makespan::graph
