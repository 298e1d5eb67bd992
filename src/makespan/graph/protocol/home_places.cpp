// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/protocol/home_places.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "makespan/base/contracts.hpp"

namespace makespan::graph {

HomePlaces::HomePlaces(int places, std::vector<int> ends)
    : ends_(std::move(ends)), is_lost_(static_cast<std::size_t>(places)) {
  MAKESPAN_EXPECT(places > 0);
  MAKESPAN_EXPECT(std::ranges::is_sorted(ends_));
}

int HomePlaces::home(int object) const {
  MAKESPAN_EXPECT(object >= 0);
  MAKESPAN_EXPECT(object < objects());
  auto const end = std::ranges::upper_bound(ends_, object);
  int const first = end == ends_.begin() ? 0 : *(end - 1);
  // As InitialMap::block; in 64 bits, since objects times places may pass 2^31.
  return heir(static_cast<int>(std::int64_t{object - first} * places() / (*end - first)));
}

void HomePlaces::lose(int place) {
  is_lost_[static_cast<std::size_t>(place)] = 1;
  MAKESPAN_EXPECT(std::ranges::count(is_lost_, std::uint8_t{0}) > 0);
}

}  // namespace makespan::graph
