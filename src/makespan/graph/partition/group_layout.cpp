// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/partition/group_layout.hpp"

#include <algorithm>
#include <iterator>

#include "makespan/graph/model/phase_time.hpp"
#include "makespan/graph/partition/detail/grouping.hpp"

namespace makespan::graph {

namespace {

// The number of `item` among the different ones seen so far.
template <class Item>
int number_of(std::vector<Item>& seen, Item const& item) {
  auto const found = std::ranges::find(seen, item);
  if (found != seen.end()) return static_cast<int>(found - seen.begin());
  seen.push_back(item);
  return static_cast<int>(std::ssize(seen)) - 1;
}

// Places as slots of their domains; those of one kind and speed are alike.
std::vector<Slot> slots_of_places(Places const& places) {
  std::vector<Place> seen;
  std::vector<Slot> slots;
  for (Place place : places.all()) {
    int const domain = place.domain;
    place.domain = 0;
    slots.push_back({.container = domain, .like = number_of(seen, place)});
  }
  return slots;
}

// Domains as slots of their nodes; those with the same places are alike.
std::vector<Slot> slots_of_domains(Places const& places, std::vector<Slot> const& of_places) {
  std::vector<std::vector<int>> seen;
  std::vector<Slot> slots;
  for (int domain = 0; domain < places.domains(); ++domain) {
    std::vector<int> like;
    for (int const place : places.in(domain)) {
      like.push_back(of_places[static_cast<std::size_t>(place)].like);
    }
    std::ranges::sort(like);
    slots.push_back({.container = places.node(domain), .like = number_of(seen, like)});
  }
  return slots;
}

struct Bytes {
  ByteMatrix between;  // groups of objects that may move
  ByteMatrix pinned;   // such groups, and what may not move from a place
};

Bytes bytes_of(Graph const& graph, Places const& places, Mapping const& mapping) {
  Bytes bytes{.between = ByteMatrix(places.count()), .pinned = ByteMatrix(places.count())};
  for (int object = 0; object < graph.objects(); ++object) {
    int const here = mapping[static_cast<std::size_t>(object)];
    for (Traffic const& out : graph.sent(object)) {
      int const there = mapping[static_cast<std::size_t>(out.other)];
      if (graph.may_move(object) && graph.may_move(out.other)) {
        if (here == there) continue;
        bytes.between.at(here, there) += out.bytes;
        bytes.between.at(there, here) += out.bytes;
      } else if (graph.may_move(object)) {
        bytes.pinned.at(here, there) += out.bytes;
      } else if (graph.may_move(out.other)) {
        bytes.pinned.at(there, here) += out.bytes;
      }
    }
  }
  return bytes;
}

// The bytes of what domains took.
Bytes bytes_of_domains(Places const& places, Bytes const& of_places,
                       std::vector<int> const& place_of) {
  Bytes bytes{.between = ByteMatrix(places.domains()), .pinned = ByteMatrix(places.domains())};
  for (int a = 0; a < places.count(); ++a) {
    int const domain = places[place_of[static_cast<std::size_t>(a)]].domain;
    for (int b = 0; b < places.count(); ++b) {
      int const other = places[place_of[static_cast<std::size_t>(b)]].domain;
      if (domain != other) bytes.between.at(domain, other) += of_places.between.at(a, b);
      bytes.pinned.at(domain, places[b].domain) += of_places.pinned.at(a, b);
    }
  }
  return bytes;
}

// Where the places of each domain go when domains go to `domain_of`: to the place alike at the same
// turn.
std::vector<int> moved_domains(Places const& places, std::vector<Slot> const& slots,
                               std::vector<int> const& domain_of) {
  std::vector<int> moved(slots.size());
  for (int domain = 0; domain < places.domains(); ++domain) {
    auto const there = places.in(domain_of[static_cast<std::size_t>(domain)]);
    std::vector<int> open(there.begin(), there.end());
    for (int const place : places.in(domain)) {
      int const like = slots[static_cast<std::size_t>(place)].like;
      auto const found = std::ranges::find(
          open, like, [&](int at) { return slots[static_cast<std::size_t>(at)].like; });
      moved[static_cast<std::size_t>(place)] = *found;
      open.erase(found);
    }
  }
  return moved;
}

}  // namespace

Mapping laid_out(Graph const& graph, Places const& places, Mapping const& groups) {
  Bytes const bytes = bytes_of(graph, places, groups);
  std::vector<Slot> const slots = slots_of_places(places);
  std::vector<int> const place_of =
      grouped({.slots = slots, .between = bytes.between, .pinned = bytes.pinned});

  Bytes const by_domain = bytes_of_domains(places, bytes, place_of);
  // Then whole domains change places, which leaves what was found within them.
  std::vector<Slot> const domain_slots = slots_of_domains(places, slots);
  std::vector<int> const domain_of =
      grouped({.slots = domain_slots, .between = by_domain.between, .pinned = by_domain.pinned});
  std::vector<int> const moved = moved_domains(places, slots, domain_of);

  Mapping mapping = groups;
  for (int object = 0; object < graph.objects(); ++object) {
    if (!graph.may_move(object)) continue;
    std::int32_t& place = mapping[static_cast<std::size_t>(object)];
    place = moved[static_cast<std::size_t>(place_of[static_cast<std::size_t>(place)])];
  }
  bool const is_longer = phase_times(graph, places, mapping).longest_s() >
                         phase_times(graph, places, groups).longest_s();
  return is_longer ? groups : mapping;
}

}  // namespace makespan::graph
