// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/times/phase_state.hpp"

#include <algorithm>
#include <utility>

#include "makespan/base/contracts.hpp"
#include "makespan/graph/model/phase_time.hpp"

namespace makespan::graph {

PhaseState::PhaseState(Graph const& graph, Places const& places, Mapping mapping, double phases)
    : graph_{graph},
      places_{places},
      mapping_{std::move(mapping)},
      phases_{phases},
      links_{idle_links(graph, places)},
      memory_{graph, places, mapping_},
      tried_{links_},
      share_at_(static_cast<std::size_t>(places.count()), -1) {
  MAKESPAN_EXPECT(phases > 0.0);
  PhaseTimes const times = phase_times(graph, places, mapping_);
  for (std::size_t place = 0; place < times.compute_s.size(); ++place) {
    times_s_.push_back(times.total_s(place));
  }
  // By `object_`, which is the one that migration_s() speaks of.
  for (object_ = 0; object_ < graph.objects(); ++object_) {
    int const place = place_of(object_);
    times_s_[static_cast<std::size_t>(place)] += migration_s(place);
  }
  object_ = -1;
  for (int object = 0; links_.are_any() && object < graph.objects(); ++object) {
    int const to = places[place_of(object)].domain;
    for (Traffic const& in : graph.received(object)) {
      links_.add(places[place_of(in.other)].domain, to, in.bytes);
    }
  }
}

double PhaseState::longest_s() const {
  return std::max(*std::ranges::max_element(times_s_), links_.longest_s());
}

double PhaseState::mean_s() const {
  return mean_time_s(places_, times_s_);
}

bool PhaseState::is_inside(int object) const {
  int const place = place_of(object);
  auto const is_here = [&](Traffic const& traffic) { return place_of(traffic.other) == place; };
  return std::ranges::all_of(graph_.received(object), is_here) &&
         std::ranges::all_of(graph_.sent(object), is_here);
}

void PhaseState::look_at(int object) {
  // What the last object touched, and not all places: a look costs as much as the object has edges.
  for (Share const& share : shares_) share_at_[static_cast<std::size_t>(share.place)] = -1;
  shares_.clear();
  object_ = object;
  auto const share_of = [&](Traffic const& traffic) -> Share& {
    std::int32_t const place = mapping_[static_cast<std::size_t>(traffic.other)];
    std::int32_t& at = share_at_[static_cast<std::size_t>(place)];
    if (at < 0) {
      at = static_cast<std::int32_t>(shares_.size());
      shares_.push_back({.place = place});
    }
    return shares_[static_cast<std::size_t>(at)];
  };
  for (Traffic const& in : graph_.received(object)) {
    Share& share = share_of(in);
    share.in_messages += static_cast<double>(in.messages);
    share.in_bytes += in.bytes;
  }
  for (Traffic const& out : graph_.sent(object)) {
    Share& share = share_of(out);
    share.out_messages += static_cast<double>(out.messages);
    share.out_bytes += out.bytes;
  }
}

double PhaseState::own_s(int place) const {
  int const domain = places_[place].domain;
  double own = places_.time_of(graph_, object_, place).value() + migration_s(place);
  for (Share const& share : shares_) {
    if (share.place == place) continue;
    int const from = places_[share.place].domain;
    own += share.in_messages * places_.receive_s(from, domain) +
           share.in_bytes * places_.copied_s_per_byte(from, domain);
  }
  return own;
}

template <class Change>
void PhaseState::each_link_change(int place, Change const& change) const {
  int const here = places_[place_of(object_)].domain;
  int const there = places_[place].domain;
  for (Share const& share : shares_) {
    int const other = places_[share.place].domain;
    // All four, also within a node: `change` leaves those out.
    change(other, here, -share.in_bytes);
    change(here, other, -share.out_bytes);
    change(other, there, share.in_bytes);
    change(there, other, share.out_bytes);
  }
}

double PhaseState::paid_s(Share const& share, int place) const {
  if (share.place == place) return 0.0;
  // The receiver pays (docs/decisions/0059): this is part of the other place's time.
  int const from = places_[place].domain;
  int const to = places_[share.place].domain;
  return share.out_messages * places_.receive_s(from, to) +
         share.out_bytes * places_.copied_s_per_byte(from, to);
}

double PhaseState::migration_s(int place) const {
  std::int32_t const before = graph_.now()[static_cast<std::size_t>(object_)];
  if (before == place) return 0.0;
  int const from = places_[before].domain;
  int const to = places_[place].domain;
  // Objects move between phases, when nothing computes: bytes count in full, also between nodes.
  return (places_.receive_s(from, to) +
          graph_.bytes(object_) * places_.seconds_per_byte(from, to)) /
         phases_;
}

double PhaseState::sum_change_s(int place) const {
  int const here = place_of(object_);
  double change = own_s(place) - own_s(here);
  for (Share const& share : shares_) change += paid_s(share, place) - paid_s(share, here);
  if (touches_links(place)) {
    // In and out.
    each_link_change(place, [&](int from, int to, double bytes) {
      if (places_.is_linked(from, to)) change += 2.0 * bytes * places_.seconds_per_byte(from, to);
    });
  }
  return change;
}

double PhaseState::time_after_s(int place) const {
  double time = time_s(place) + own_s(place);
  std::int32_t const at = share_at_[static_cast<std::size_t>(place)];
  // What the object says to that place costs it nothing any more, once the object is there.
  if (at >= 0) time -= paid_s(shares_[static_cast<std::size_t>(at)], place_of(object_));
  return time;
}

double PhaseState::longest_touched_s(int place, double limit_s) const {
  double longest = time_after_s(place);
  // Most places are out by this: what others take, and links, which cost more, is not asked then.
  if (longest >= limit_s) return longest;
  int const here = place_of(object_);
  double time_here = time_s(here) - own_s(here);
  for (Share const& share : shares_) {
    double const change = paid_s(share, place) - paid_s(share, here);
    if (share.place == here) {
      time_here += change;
    } else if (share.place != place) {
      longest = std::max(longest, time_s(share.place) + change);
    }
  }
  longest = std::max(longest, time_here);
  if (longest < limit_s && touches_links(place)) {
    // Into memory that is there: one made anew would be allocated for each place that is tried.
    tried_ = links_;
    each_link_change(place, [&](int from, int to, double bytes) { tried_.add(from, to, bytes); });
    auto const see = [&](int touched) {
      int const node = places_.node(places_[touched].domain);
      longest = std::max(longest, tried_.node_s(node));
    };
    see(here);
    see(place);
    for (Share const& share : shares_) see(share.place);
  }
  return longest;
}

void PhaseState::move_to(int place) {
  int const here = place_of(object_);
  // All of this goes by the mapping as it was, so that is changed last.
  times_s_[static_cast<std::size_t>(here)] -= own_s(here);
  times_s_[static_cast<std::size_t>(place)] += own_s(place);
  for (Share const& share : shares_) {
    times_s_[static_cast<std::size_t>(share.place)] += paid_s(share, place) - paid_s(share, here);
  }
  if (touches_links(place)) {
    each_link_change(place, [&](int from, int to, double bytes) { links_.add(from, to, bytes); });
  }
  memory_.move(object_, here, place);
  mapping_[static_cast<std::size_t>(object_)] = place;
}

bool PhaseState::has_room_to_exchange(int other) {
  int const here = place_of(object_);
  int const there = place_of(other);
  if (!memory_.is_limited() || here == there) return true;
  int const first = places_.memory_of(here);
  int const second = places_.memory_of(there);
  double const first_before = memory_.excess_bytes(first);
  double const second_before = memory_.excess_bytes(second);
  // Tried, and taken back: a block that both use counts once in each memory, so no sum of the two
  // tells.
  memory_.move(object_, here, there);
  memory_.move(other, there, here);
  bool const has_room =
      memory_.excess_bytes(first) <= first_before && memory_.excess_bytes(second) <= second_before;
  memory_.move(other, here, there);
  memory_.move(object_, there, here);
  return has_room;
}

}  // namespace makespan::graph
