// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/multicore.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "makespan/graph/balancer/detail/heaviest_first.hpp"
#include "makespan/graph/times/phase_state.hpp"

namespace makespan::graph {

namespace {

constexpr std::array<OptionHelp, 1> multicore_help{{
    {"tolerance", OptionKind::real, 1.05, 1.0, 100.0,
     "a place may take so many times the mean of places"},
}};

// Places by what they are part of at one level: within it objects may move.
struct Neighbourhoods {
  std::vector<int> of_place{};
  std::vector<std::vector<int>> places{};
};

// `unit`: of a domain, any number.
template <class Unit>
Neighbourhoods neighbourhoods(Places const& places, Unit const& unit) {
  std::vector<int> seen;
  std::vector<int> of_domain;
  for (int domain = 0; domain < places.domains(); ++domain) {
    auto const known = std::ranges::find(seen, unit(domain));
    of_domain.push_back(static_cast<int>(known - seen.begin()));
    if (known == seen.end()) seen.push_back(unit(domain));
  }
  Neighbourhoods all{.places = std::vector<std::vector<int>>(seen.size())};
  for (int place = 0; place < places.count(); ++place) {
    int const in = of_domain[static_cast<std::size_t>(places[place].domain)];
    all.of_place.push_back(in);
    all.places[static_cast<std::size_t>(in)].push_back(place);
  }
  return all;
}

// From the nearest to the widest, which is all places.
std::vector<Neighbourhoods> levels_of_neighbours(Places const& places) {
  std::vector<Neighbourhoods> levels;
  levels.push_back(neighbourhoods(places, [](int domain) { return domain; }));
  for (int level = places.levels() - 1; level >= 0; --level) {
    levels.push_back(
        neighbourhoods(places, [&](int domain) { return places.group(level, domain); }));
  }
  levels.push_back(neighbourhoods(places, [&](int domain) { return places.node(domain); }));
  levels.push_back(neighbourhoods(places, [](int) { return 0; }));
  // One that has the same neighbours as the one before says nothing new.
  auto const same = std::ranges::unique(levels, {}, &Neighbourhoods::of_place);
  levels.erase(same.begin(), same.end());
  return levels;
}

class Refinement {
 public:
  Refinement(Graph const& graph, Places const& places, double tolerance)
      // Spread over phases without end, the way of objects costs nothing.
      : state_(graph, places, graph.now(), std::numeric_limits<double>::infinity()),
        most_s_(tolerance * state_.mean_s()),
        objects_(static_cast<std::size_t>(places.count())) {
    for (std::int32_t const object : heaviest_first(graph, places)) {
      objects_[static_cast<std::size_t>(state_.place_of(object))].push_back(object);
    }
  }

  void run(Neighbourhoods const& level) {
    std::vector<int> late(objects_.size());
    std::iota(late.begin(), late.end(), 0);
    std::erase_if(late, [&](int place) { return state_.time_s(place) <= most_s_; });
    std::ranges::stable_sort(late, std::greater<>(),
                             [&](int place) { return state_.time_s(place); });
    for (int const place : late) {
      int const in = level.of_place[static_cast<std::size_t>(place)];
      give(place, level.places[static_cast<std::size_t>(in)]);
    }
  }

  [[nodiscard]] Mapping const& mapping() const { return state_.mapping(); }

 private:
  void give(int late, std::vector<int> const& near) {
    std::vector<std::int32_t>& mine = objects_[static_cast<std::size_t>(late)];
    // What can go has gone when it is asked about; the others stay in the list.
    std::erase_if(mine, [&](std::int32_t object) {
      if (state_.time_s(late) <= most_s_) return false;
      int const place = best_for(object, late, near);
      if (place < 0) return false;
      state_.move_to(place);
      objects_[static_cast<std::size_t>(place)].push_back(object);
      return true;
    });
  }

  // -1 if it fits nowhere. Leaves the object looked at.
  [[nodiscard]] int best_for(std::int32_t object, int late, std::vector<int> const& near) {
    int best = -1;
    double least_s = 0.0;
    bool is_looked_at = false;
    for (int const place : near) {
      double const work_s = state_.places().time_of(state_.graph(), object, place).value();
      if (place == late || state_.time_s(place) + work_s > most_s_) continue;
      // Only now: a look at all friends is dear, and most places are out by their own time.
      if (!is_looked_at) state_.look_at(object);
      is_looked_at = true;
      if (state_.time_after_s(place) > most_s_) continue;
      double const change_s = state_.sum_change_s(place);
      if (best >= 0 && change_s >= least_s) continue;
      best = place;
      least_s = change_s;
    }
    return best;
  }

  PhaseState state_;
  double most_s_;
  std::vector<std::vector<std::int32_t>> objects_;  // by place, that may move
};

}  // namespace

std::span<OptionHelp const> MulticoreBalancer::option_help() {
  return multicore_help;
}

MulticoreBalancer::MulticoreBalancer(OptionValues const& given)
    : tolerance_(CheckedOptions(name, multicore_help, given).real("tolerance")) {
}

Mapping MulticoreBalancer::map(Graph const& graph, Places const& places) const {
  Refinement refinement(graph, places, tolerance_);
  for (Neighbourhoods const& level : levels_of_neighbours(places)) refinement.run(level);
  return refinement.mapping();
}

}  // namespace makespan::graph
