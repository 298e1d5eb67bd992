// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/within_memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "makespan/graph/times/memory_use.hpp"

namespace makespan::graph {

namespace {

// Objects that go together.
struct Together {
  std::vector<std::int32_t> objects{};
  double bytes{0.0};
  double time_s{0.0};   // where they are
  bool is_moved{true};  // all have been elsewhere
};

// Places of objects, what they take of memories, and for how long they compute.
class Placement {
 public:
  Placement(Graph const& graph, Places const& places, Mapping mapping)
      : graph_{graph},
        places_{places},
        mapping_{std::move(mapping)},
        use_{graph, places, mapping_},
        time_s_(static_cast<std::size_t>(places.count())) {
    for (int object = 0; object < graph.objects(); ++object) {
      time_s_[index(place_of(object))] += time_of(object, place_of(object));
    }
  }

  [[nodiscard]] Mapping const& mapping() const { return mapping_; }
  [[nodiscard]] double excess_bytes() const { return use_.excess_bytes(); }

  void relieve_all() {
    auto const memories = static_cast<int>(places_.memories().limit_bytes.size());
    for (int memory = 0; memory < memories; ++memory) {
      if (use_.excess_bytes(memory) <= 0.0) continue;
      for (Together const& some : those_of(memory)) {
        if (use_.excess_bytes(memory) <= 0.0) break;
        // All that need a block together: what is left behind would keep it.
        if (go_where_they_end_first(some)) continue;
        for (Together const& one : one_by_one(some)) {
          if (use_.excess_bytes(memory) > 0.0) go_where_they_end_first(one);
        }
      }
    }
  }

  // Objects that may move are nowhere at first.
  void place_anew() {
    std::vector<Together> all = together([](int) { return true; });
    // The largest first: small ones fit into what these leave.
    std::ranges::stable_sort(all, std::ranges::greater{}, &Together::bytes);
    for (Together const& some : all) {
      for (std::int32_t const object : some.objects) {
        use_.remove(object, place_of(object));
        time_s_[index(place_of(object))] -= time_of(object, place_of(object));
        mapping_[index(object)] = -1;
      }
    }
    for (Together const& some : all) {
      if (go_where_they_end_first(some)) continue;
      for (Together const& one : one_by_one(some)) {
        if (go_where_they_end_first(one)) continue;
        // What fits nowhere stays where it was.
        int const object = one.objects.front();
        go(object, graph_.now()[index(object)]);
      }
    }
  }

 private:
  static std::size_t index(int number) { return static_cast<std::size_t>(number); }
  [[nodiscard]] int place_of(int object) const { return mapping_[index(object)]; }
  [[nodiscard]] double time_of(int object, int place) const {
    return places_.time_of(graph_, object, place).value();
  }

  // Objects that may move, by the block that they need.
  template <class Takes>
  [[nodiscard]] std::vector<Together> together(Takes const& takes) const {
    std::map<int, Together> by_block;
    std::vector<Together> all;
    for (int object = 0; object < graph_.objects(); ++object) {
      if (!graph_.may_move(object) || !takes(object)) continue;
      int const block = graph_.block(object);
      Together& one = block < 0 ? all.emplace_back() : by_block[block];
      one.objects.push_back(object);
      one.bytes += graph_.footprint(object) + graph_.working(object);
      one.time_s += time_of(object, place_of(object));
      one.is_moved = one.is_moved && graph_.now()[index(object)] != place_of(object);
    }
    for (auto& [block, one] : by_block) {
      one.bytes += graph_.block_bytes(block);
      all.push_back(std::move(one));
    }
    return all;
  }

  [[nodiscard]] std::vector<Together> those_of(int memory) const {
    std::vector<Together> all =
        together([&](int object) { return places_.memory_of(place_of(object)) == memory; });
    std::erase_if(all, [](Together const& some) { return some.bytes <= 0.0; });
    auto const freed = [](Together const& some) {
      constexpr double least_s = 1e-30;
      return some.bytes / std::max(some.time_s, least_s);
    };
    std::ranges::stable_sort(all, [&](Together const& a, Together const& b) {
      // Those that move anyway first, which costs no migration more; then what frees most for the
      // work that goes along.
      if (a.is_moved != b.is_moved) return a.is_moved;
      return freed(a) > freed(b);
    });
    return all;
  }

  [[nodiscard]] static std::vector<Together> one_by_one(Together const& some) {
    std::vector<Together> all;
    all.reserve(some.objects.size());
    for (std::int32_t const object : some.objects) all.push_back({.objects = {object}});
    return all;
  }

  // To another memory than they are in, if they are in one, that has room. False where none has.
  bool go_where_they_end_first(Together const& some) {
    int const here = place_of(some.objects.front());
    int best = -1;
    double soonest = 0.0;
    for (int place = 0; place < places_.count(); ++place) {
      if (here >= 0 && places_.memory_of(place) == places_.memory_of(here)) continue;
      double end = time_s_[index(place)];
      for (std::int32_t const object : some.objects) end += time_of(object, place);
      // Room is asked for last, since that is tried object by object.
      if ((best >= 0 && end >= soonest) || !have_room(some, place)) continue;
      best = place;
      soonest = end;
    }
    if (best < 0) return false;
    for (std::int32_t const object : some.objects) go(object, best);
    return true;
  }

  [[nodiscard]] bool have_room(Together const& some, int place) {
    // Tried by adding them, since of those that share a block one alone needs it.
    std::size_t gone = 0;
    while (gone < some.objects.size() && use_.has_room_for(some.objects[gone], place)) {
      use_.add(some.objects[gone++], place);
    }
    bool const has_room = gone == some.objects.size();
    while (gone > 0) use_.remove(some.objects[--gone], place);
    return has_room;
  }

  void go(int object, int place) {
    int const before = place_of(object);
    if (before >= 0) {
      use_.remove(object, before);
      time_s_[index(before)] -= time_of(object, before);
    }
    use_.add(object, place);
    time_s_[index(place)] += time_of(object, place);
    mapping_[index(object)] = place;
  }

  Graph const& graph_;
  Places const& places_;
  Mapping mapping_;
  MemoryUse use_;
  std::vector<double> time_s_;  // of computing, by place
};

}  // namespace

Mapping within_memory(Graph const& graph, Places const& places, Mapping mapping) {
  if (!places.has_memory_limits()) return mapping;
  Placement relieved(graph, places, std::move(mapping));
  relieved.relieve_all();
  double const excess = relieved.excess_bytes();
  if (excess <= 0.0) return relieved.mapping();
  Placement anew(graph, places, graph.now());
  double const excess_now = anew.excess_bytes();
  anew.place_anew();
  if (anew.excess_bytes() < std::min(excess, excess_now)) return anew.mapping();
  return excess_now < excess ? graph.now() : relieved.mapping();
}

}  // namespace makespan::graph
