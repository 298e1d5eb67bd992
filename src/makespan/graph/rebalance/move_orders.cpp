// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/rebalance/move_orders.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "makespan/base/number_map.hpp"

namespace makespan::graph {

std::vector<std::vector<Target>> move_orders(std::span<Target const> moves,
                                             std::span<PlaceLoads const> places,
                                             HomePlaces const& homes) {
  std::vector<std::vector<Target>> orders(places.size());
  if (moves.empty()) return orders;
  auto const tell = [&](int place, Target const& move) {
    orders[static_cast<std::size_t>(place)].push_back(move);
  };
  NumberMap<std::int32_t> move_of;
  for (std::size_t at = 0; at < moves.size(); ++at) {
    move_of[moves[at].object] = static_cast<std::int32_t>(at);
    tell(moves[at].place, moves[at]);
    tell(homes.home(moves[at].object), moves[at]);
  }
  auto const move_or_null = [&](std::int32_t object) {
    std::int32_t const* const at = move_of.find(object);
    return at != nullptr ? &moves[static_cast<std::size_t>(*at)] : nullptr;
  };
  for (std::size_t place = 0; place < places.size(); ++place) {
    for (ObjectLoad const& load : places[place].loads.objects) {
      Target const* const move = move_or_null(load.object);
      if (move != nullptr) tell(static_cast<int>(place), *move);
    }
    for (ObjectTraffic const& edge : places[place].loads.traffic) {
      Target const* const move = move_or_null(edge.to);
      if (move == nullptr) continue;
      // The sender may move as well: it will send from there.
      Target const* const sender = move_or_null(edge.from);
      tell(sender != nullptr ? sender->place : static_cast<int>(place), *move);
    }
  }
  for (std::vector<Target>& order : orders) {
    std::ranges::sort(order, {}, &Target::object);
    auto const rest = std::ranges::unique(order, {}, &Target::object);
    order.erase(rest.begin(), rest.end());
  }
  return orders;
}

}  // namespace makespan::graph
