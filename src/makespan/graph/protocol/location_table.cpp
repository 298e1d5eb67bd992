// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/protocol/location_table.hpp"

#include <algorithm>
#include <utility>

#include "makespan/base/contracts.hpp"

namespace makespan::graph {

LocationTable::LocationTable(int place, int places, std::vector<int> ends)
    : place_(place), homes_(places, std::move(ends)) {
  MAKESPAN_EXPECT(place >= 0);
  MAKESPAN_EXPECT(place < places);
}

std::vector<int> LocationTable::here() const {
  std::vector<int> objects;
  known_.for_each([&](int object, Known const& known) {
    if (known.is_here) objects.push_back(object);
  });
  std::ranges::sort(objects);
  return objects;
}

Route LocationTable::route(int object, std::uint32_t moves) const {
  if (is_here(object)) return {.routing = Routing::deliver};
  Location const known = believed(object);
  // Said to come here, or not made as far as this place, its home, knows.
  if (known.place == place_) return {.routing = Routing::keep};
  // The sender knows something later than we do: it is on its way to us.
  if (known.moves < moves) return {.routing = Routing::keep};
  return {.routing = Routing::forward, .to = known};
}

void LocationTable::arrive(int object, std::uint32_t moves) {
  MAKESPAN_EXPECT(moves > 0);
  MAKESPAN_EXPECT(!is_here(object));
  // It may be known already: the coordinator's order can be here before the object is.
  learn(object, {.place = place_, .moves = moves});
  known_[object].is_here = true;
}

Location LocationTable::depart(int object, int to) {
  MAKESPAN_EXPECT(is_here(object));
  MAKESPAN_EXPECT(to != place_);
  Location const next{.place = to, .moves = believed(object).moves + 1};
  known_[object] = {.at = next, .is_here = false};
  return next;
}

bool LocationTable::learn(int object, Location said) {
  if (said.moves <= believed(object).moves) return false;
  known_[object].at = said;
  return true;
}

}  // namespace makespan::graph
