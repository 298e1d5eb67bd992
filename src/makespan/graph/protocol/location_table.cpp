// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/protocol/location_table.hpp"

#include <algorithm>

#include "makespan/base/contracts.hpp"

namespace makespan::graph {

LocationTable::LocationTable(int place, int places, int objects)
    : place_(place),
      places_(places),
      believed_(static_cast<std::size_t>(objects)),
      is_here_(static_cast<std::size_t>(objects)),
      is_lost_(static_cast<std::size_t>(places)) {
  MAKESPAN_EXPECT(place >= 0);
  MAKESPAN_EXPECT(place < places);
  clear();
}

int LocationTable::home(int object) const {
  return heir(static_cast<int>(std::int64_t{object} * places_ / std::max(objects(), 1)));
}

int LocationTable::heir(int place) const {
  while (is_lost(place)) place = (place + 1) % places_;
  return place;
}

void LocationTable::lose(int place) {
  is_lost_[static_cast<std::size_t>(place)] = 1;
  MAKESPAN_EXPECT(std::ranges::count(is_lost_, std::uint8_t{0}) > 0);
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
  MAKESPAN_EXPECT(!is_here(object));
  learn(object, {.place = place_, .moves = moves});
  is_here_[static_cast<std::size_t>(object)] = 1;
}

Location LocationTable::depart(int object, int to) {
  MAKESPAN_EXPECT(is_here(object));
  MAKESPAN_EXPECT(to != place_);
  Location const next{.place = to, .moves = believed(object).moves + 1};
  is_here_[static_cast<std::size_t>(object)] = 0;
  believed_[static_cast<std::size_t>(object)] = next;
  return next;
}

bool LocationTable::learn(int object, Location said) {
  Location& known = believed_[static_cast<std::size_t>(object)];
  if (said.moves <= known.moves) return false;
  known = said;
  return true;
}

void LocationTable::clear() {
  std::ranges::fill(is_here_, std::uint8_t{0});
  for (int object = 0; object < objects(); ++object) {
    believed_[static_cast<std::size_t>(object)] = {.place = home(object), .moves = 0};
  }
}

}  // namespace makespan::graph
