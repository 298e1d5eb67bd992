// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/greedy_comm.hpp"

#include <array>

#include "makespan/graph/balancer/detail/heaviest_first.hpp"
#include "makespan/graph/times/place_heap.hpp"

namespace makespan::graph {

namespace {

constexpr std::array<OptionHelp, 2> greedy_comm_help{{
    {"alpha_s", OptionKind::real, 3.5e-5, 0.0, 1.0, "what a message costs; as Charm++'s"},
    {"beta_s_byte", OptionKind::real, 8.5e-9, 0.0, 1.0, "what a byte costs; as Charm++'s"},
}};

constexpr std::int32_t not_placed = -1;

// What one object says to those that have been placed, by their place.
class TalkByPlace {
 public:
  explicit TalkByPlace(int places) : by_place_s_(static_cast<std::size_t>(places)) {}

  void add(int place, double cost_s) {
    // Else the next one would list the place again.
    if (cost_s == 0.0) return;
    double& here = by_place_s_[static_cast<std::size_t>(place)];
    if (here == 0.0) places_.push_back(place);
    here += cost_s;
    sum_s_ += cost_s;
  }
  void clear() {
    // By the list: an object talks with few of many places.
    for (int const place : places_) by_place_s_[static_cast<std::size_t>(place)] = 0.0;
    places_.clear();
    sum_s_ = 0.0;
  }

  [[nodiscard]] std::vector<int> const& places() const { return places_; }
  [[nodiscard]] double with_s(int place) const {
    return by_place_s_[static_cast<std::size_t>(place)];
  }
  [[nodiscard]] double beyond_s(int place) const { return sum_s_ - with_s(place); }

 private:
  std::vector<double> by_place_s_;
  std::vector<int> places_;
  double sum_s_ = 0.0;
};

// Of the place that would end first and those that the object talks to.
int best_place(Graph const& graph, Places const& places, PlaceHeap const& heap,
               TalkByPlace const& talk, int object) {
  auto const end_s = [&](int place) {
    return heap.time_s(place) + places.time_of(graph, object, place).value() + talk.beyond_s(place);
  };
  int best = heap.first_to_end(graph, object);
  double best_s = end_s(best);
  for (int const place : talk.places()) {
    double const here_s = end_s(place);
    if (here_s < best_s) {
      best = place;
      best_s = here_s;
    }
  }
  return best;
}

}  // namespace

std::span<OptionHelp const> GreedyCommBalancer::option_help() {
  return greedy_comm_help;
}

GreedyCommBalancer::GreedyCommBalancer(OptionValues const& given)
    : GreedyCommBalancer(CheckedOptions(name, greedy_comm_help, given)) {
}

GreedyCommBalancer::GreedyCommBalancer(CheckedOptions const& options)
    : alpha_s_(options.real("alpha_s")), beta_s_byte_(options.real("beta_s_byte")) {
}

Mapping GreedyCommBalancer::map(Graph const& graph, Places const& places) const {
  Mapping mapping = graph.now();
  std::vector<std::int32_t> const order = heaviest_first(graph, places);
  for (std::int32_t const object : order) mapping[static_cast<std::size_t>(object)] = not_placed;
  PlaceHeap heap(places);
  add_fixed(graph, places, heap);
  TalkByPlace talk(places.count());
  for (std::int32_t const object : order) {
    talk.clear();
    for (auto const edges : {graph.sent(object), graph.received(object)}) {
      for (Traffic const& edge : edges) {
        std::int32_t const place = mapping[static_cast<std::size_t>(edge.other)];
        if (place == not_placed) continue;
        talk.add(place, alpha_s_ * static_cast<double>(edge.messages) + beta_s_byte_ * edge.bytes);
      }
    }
    int const best = best_place(graph, places, heap, talk, object);
    heap.add(best, places.time_of(graph, object, best).value() + talk.beyond_s(best));
    for (int const place : talk.places()) {
      if (place != best) heap.add(place, talk.with_s(place));
    }
    mapping[static_cast<std::size_t>(object)] = best;
  }
  return mapping;
}

}  // namespace makespan::graph
