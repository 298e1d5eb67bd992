// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/partition/group_layout.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

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

// The machine as a tree, bottom up: units of level 0 are places, and what they are in at one level
// are the units of the next: domains, their groups from the deepest to the widest, nodes.
struct TreeLevel {
  std::vector<Slot> slots{};                // by unit: what it is in; those of one class are alike
  std::vector<std::vector<int>> members{};  // by what they are in: units, by class
};

std::vector<std::vector<int>> members_of(std::vector<Slot> const& slots) {
  std::vector<std::vector<int>> members;
  for (std::size_t unit = 0; unit < slots.size(); ++unit) {
    auto const at = static_cast<std::size_t>(slots[unit].container);
    if (members.size() <= at) members.resize(at + 1);
    members[at].push_back(static_cast<int>(unit));
  }
  for (std::vector<int>& in : members) {
    std::ranges::stable_sort(in, {},
                             [&](int unit) { return slots[static_cast<std::size_t>(unit)].like; });
  }
  return members;
}

// Places of one kind and speed are alike.
TreeLevel level_of_places(Places const& places) {
  std::vector<Place> seen;
  TreeLevel level;
  for (Place place : places.all()) {
    int const domain = place.domain;
    place.domain = 0;
    level.slots.push_back({.container = domain, .like = number_of(seen, place)});
  }
  level.members = members_of(level.slots);
  level.members.resize(static_cast<std::size_t>(places.domains()));
  return level;
}

// Units with members alike are alike. `in`: by unit, what it is in.
TreeLevel level_above(TreeLevel const& below, std::vector<int> const& in) {
  std::vector<std::vector<int>> seen;
  TreeLevel level;
  for (std::size_t unit = 0; unit < below.members.size(); ++unit) {
    std::vector<int> like;
    for (int const member : below.members[unit]) {
      like.push_back(below.slots[static_cast<std::size_t>(member)].like);
    }
    level.slots.push_back({.container = in[unit], .like = number_of(seen, like)});
  }
  level.members = members_of(level.slots);
  return level;
}

std::vector<TreeLevel> levels_of(Places const& places) {
  std::vector<TreeLevel> levels{level_of_places(places)};
  // What each unit of the present level is part of further up, by one domain in it.
  std::vector<int> first_domain;
  first_domain.reserve(static_cast<std::size_t>(places.domains()));
  for (int domain = 0; domain < places.domains(); ++domain) first_domain.push_back(domain);
  for (int level = places.levels() - 1; level >= -1; --level) {
    std::vector<int> seen;
    std::vector<int> in;
    std::vector<int> first;
    for (int const domain : first_domain) {
      int const wider = level >= 0 ? places.group(level, domain) : places.node(domain);
      in.push_back(number_of(seen, wider));
      if (std::ssize(seen) > std::ssize(first)) first.push_back(domain);
    }
    levels.push_back(level_above(levels.back(), in));
    first_domain = std::move(first);
  }
  return levels;
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

// The bytes of what units took: those of one level, by the slot of each, as those of the next.
Bytes bytes_above(Bytes const& of_units, TreeLevel const& level, std::vector<int> const& slot_of) {
  int const count = static_cast<int>(std::ssize(level.members));
  Bytes bytes{.between = ByteMatrix(count), .pinned = ByteMatrix(count)};
  auto const in = [&](int unit) { return level.slots[static_cast<std::size_t>(unit)].container; };
  for (int a = 0; a < of_units.between.size(); ++a) {
    int const here = in(slot_of[static_cast<std::size_t>(a)]);
    for (int b = 0; b < of_units.between.size(); ++b) {
      int const there = in(slot_of[static_cast<std::size_t>(b)]);
      if (here != there) bytes.between.at(here, there) += of_units.between.at(a, b);
      bytes.pinned.at(here, in(b)) += of_units.pinned.at(a, b);
    }
  }
  return bytes;
}

// What is in unit `from` goes to what is alike in unit `to`, down to places.
void move_unit(std::vector<TreeLevel> const& levels, std::size_t level, int from, int to,
               std::vector<int>& moved) {
  if (level == 0) {
    moved[static_cast<std::size_t>(from)] = to;
    return;
  }
  auto const& members = levels[level - 1].members;
  auto const& theirs = members[static_cast<std::size_t>(to)];
  std::size_t turn = 0;
  for (int const member : members[static_cast<std::size_t>(from)]) {
    move_unit(levels, level - 1, member, theirs[turn++], moved);
  }
}

}  // namespace

Mapping laid_out(Graph const& graph, Places const& places, Mapping const& groups) {
  std::vector<TreeLevel> const levels = levels_of(places);
  // By place, where its objects go.
  std::vector<int> place_of(static_cast<std::size_t>(places.count()));
  std::iota(place_of.begin(), place_of.end(), 0);
  Bytes bytes = bytes_of(graph, places, groups);
  for (std::size_t level = 0; level < levels.size(); ++level) {
    // Whole units change places, which leaves what was found within them.
    std::vector<int> const slot_of =
        grouped({.slots = levels[level].slots, .between = bytes.between, .pinned = bytes.pinned});
    std::vector<int> moved(place_of.size());
    for (std::size_t unit = 0; unit < slot_of.size(); ++unit) {
      move_unit(levels, level, static_cast<int>(unit), slot_of[unit], moved);
    }
    for (int& place : place_of) place = moved[static_cast<std::size_t>(place)];
    bytes = bytes_above(bytes, levels[level], slot_of);
  }

  Mapping mapping = groups;
  for (int object = 0; object < graph.objects(); ++object) {
    if (!graph.may_move(object)) continue;
    std::int32_t& place = mapping[static_cast<std::size_t>(object)];
    place = place_of[static_cast<std::size_t>(place)];
  }
  bool const is_longer = phase_times(graph, places, mapping).longest_s() >
                         phase_times(graph, places, groups).longest_s();
  return is_longer ? groups : mapping;
}

}  // namespace makespan::graph
