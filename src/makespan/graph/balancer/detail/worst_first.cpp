// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/detail/worst_first.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "makespan/base/tournament_tree.hpp"

namespace makespan::graph {

namespace {

// A time is shorter if it is so by more than this part of it.
constexpr double least_gain = 1e-9;
// Places that end early, of which an object is offered so many.
constexpr std::size_t early_places = 4;
// For an exchange so many objects of one place are weighed against so many of another, others each
// time, and so many pairs of them are looked at.
constexpr std::size_t members_weighed = 64;
constexpr std::size_t pairs_tried = 4;
// Of a place with more objects so many are looked at, others each time.
constexpr std::size_t members_looked_at = 96;
// Of each place of the node whose link is busiest.
constexpr std::size_t link_members_looked_at = 16;
// A move that takes less than this part of what the longest place is beyond the mean is worth
// looking for an exchange.
constexpr double good_part = 0.3;

// Objects by place.
class Members {
 public:
  explicit Members(PhaseState const& state)
      : of_(static_cast<std::size_t>(state.places().count())), position_(state.mapping().size()) {
    for (int object = 0; object < state.graph().objects(); ++object) {
      if (state.graph().may_move(object)) add(object, state.place_of(object));
    }
  }

  [[nodiscard]] std::vector<std::int32_t> const& of(int place) const {
    return of_[static_cast<std::size_t>(place)];
  }
  void move(int object, int from, int to) {
    auto& left = of_[static_cast<std::size_t>(from)];
    std::size_t const at = position_[static_cast<std::size_t>(object)];
    left[at] = left.back();
    position_[static_cast<std::size_t>(left[at])] = at;
    left.pop_back();
    add(object, to);
  }

 private:
  void add(int object, int place) {
    auto& members = of_[static_cast<std::size_t>(place)];
    position_[static_cast<std::size_t>(object)] = members.size();
    members.push_back(object);
  }

  std::vector<std::vector<std::int32_t>> of_;
  std::vector<std::size_t> position_;
};

// A way to make a place end earlier.
struct Step {
  int object{-1};
  int place{-1};
  int exchanged{-1};  // comes from `place` instead; -1 for nothing
  double longest_s{};
};

class WorstFirst {
 public:
  WorstFirst(PhaseState& state, std::int64_t looks_max, double enough_s)
      : state_{state},
        members_{state},
        looks_left_{looks_max},
        enough_s_{enough_s},
        latest_(static_cast<std::size_t>(state.places().count())),
        earliest_(latest_) {
    for (int place = 0; place < state.places().count(); ++place) note_time(place);
  }

  // Whether the longest place, or link between nodes, could be made shorter.
  bool step() {
    ++steps_;
    worst_ = latest_.top();
    if (std::max(state_.time_s(worst_), state_.links().longest_s()) <= enough_s_) return false;
    // The phase lasts as long as that link then, whatever its places take.
    if (state_.links().longest_s() > state_.time_s(worst_)) return shorten_link();
    find_early();
    Step best{.longest_s = state_.time_s(worst_) * (1.0 - least_gain)};
    find_move(best);
    double const excess = state_.time_s(worst_) - mean_s();
    if (best.object < 0 || state_.time_s(worst_) - best.longest_s < good_part * excess) {
      for (int const place : early_) find_exchange(place, best);
    }
    if (best.object < 0) return false;
    go(best.object, best.place);
    if (best.exchanged >= 0) go(best.exchanged, worst_);
    return looks_left_ > 0;
  }

 private:
  // An object of the busiest link's node goes to friends on other nodes, or one of these comes.
  bool shorten_link() {
    LinkTimes const& links = state_.links();
    int const node = links.longest_node();
    // consider() leaves out the worst place; here objects may go anywhere.
    worst_ = -1;
    std::size_t most = 0;  // objects of a place
    Step best{.longest_s = links.longest_s() * (1.0 - least_gain)};
    for (int place = 0; place < state_.places().count(); ++place) {
      if (node_of(place) != node) continue;
      for (std::int32_t const object : some_of(place, link_members_looked_at)) {
        look_at(object);
        for (Share const& share : state_.shares()) {
          if (node_of(share.place) != node) consider(object, share.place, best);
        }
        for (Traffic const& in : state_.graph().received(object)) consider_friend(in, place, best);
        for (Traffic const& out : state_.graph().sent(object)) consider_friend(out, place, best);
      }
      most = std::max(most, members_.of(place).size());
    }
    if (best.object < 0) {
      // Until all have been looked at.
      std::size_t const turns = most / link_members_looked_at + 1;
      return ++vain_turns_ < turns && looks_left_ > 0;
    }
    vain_turns_ = 0;
    go(best.object, best.place);
    return looks_left_ > 0;
  }

  // What is at the other end of the link may come here: that frees the link as well.
  void consider_friend(Traffic const& traffic, int place, Step& best) {
    bool const is_far = node_of(state_.place_of(traffic.other)) != node_of(place);
    if (!is_far || !state_.graph().may_move(traffic.other)) return;
    look_at(traffic.other);
    consider(traffic.other, place, best);
  }

  [[nodiscard]] int node_of(int place) const {
    return state_.places().node(state_.places()[place].domain);
  }

  // Those that end first; of them one in the worst one's domain, if it has one.
  void find_early() {
    early_.clear();
    std::size_t const others = static_cast<std::size_t>(state_.places().count()) - 1;
    // Put last for a moment, each that was found: so the next winner is the next to end early.
    earliest_.set(worst_, std::numeric_limits<double>::infinity());
    while (early_.size() < std::min(early_places, others)) {
      early_.push_back(earliest_.top());
      earliest_.set(early_.back(), std::numeric_limits<double>::infinity());
    }
    for (int const place : early_) note_time(place);
    note_time(worst_);
    auto const earlier = [&](int a, int b) {
      return state_.time_s(a) < state_.time_s(b) || (state_.time_s(a) == state_.time_s(b) && a < b);
    };
    auto const near = state_.places().in(state_.places()[worst_].domain);
    int const nearest = *std::ranges::min_element(near, earlier);
    if (nearest != worst_ && std::ranges::find(early_, nearest) == early_.end()) {
      early_.push_back(nearest);
    }
  }

  void look_at(int object) {
    state_.look_at(object);
    --looks_left_;
  }

  // At most so many objects of a place, others at each step.
  [[nodiscard]] std::vector<std::int32_t> some_of(int place, std::size_t count) const {
    auto const& members = members_.of(place);
    std::vector<std::int32_t> some;
    for (std::size_t i = 0; i < std::min(members.size(), count); ++i) {
      some.push_back(members[(steps_ * count + i) % members.size()]);
    }
    return some;
  }

  void find_move(Step& best) {
    for (std::int32_t const object : some_of(worst_, members_looked_at)) {
      look_at(object);
      for (Share const& share : state_.shares()) consider(object, share.place, best);
      for (int const place : early_) consider(object, place, best);
    }
  }

  void consider(int object, int place, Step& best) const {
    if (place == worst_) return;
    // Without a look at friends, and most places are out by this already. It does not see what the
    // object says to that place and would no longer cost anything.
    double const compute = state_.places().time_of(state_.graph(), object, place).value();
    if (state_.time_s(place) + compute >= best.longest_s || !state_.has_room(place)) return;
    double const longest = state_.longest_touched_s(place, best.longest_s);
    if (longest < best.longest_s) best = {.object = object, .place = place, .longest_s = longest};
  }

  // Of the pairs whose exchange would make both places' computing most alike the first few.
  void find_exchange(int place, Step& best) {
    weigh(some_of(worst_, members_weighed), place, ours_);
    weigh(some_of(place, members_weighed), place, theirs_);
    least_uneven_.clear();
    double const gap = state_.time_s(worst_) - state_.time_s(place);
    double most = std::numeric_limits<double>::infinity();  // what a pair must be below
    for (Weighed const& our : ours_) {
      for (Weighed const& their : theirs_) {
        double const lost = our.on_worst_s - their.on_worst_s;
        double const won = our.on_place_s - their.on_place_s;
        double const uneven_s = std::fabs(gap - lost - won);
        // What frees nothing here, or makes the other place as long as this one is now, is no gain.
        if (!(uneven_s < most) || lost <= 0.0 || won >= gap) continue;
        most = keep_pair({our.object, their.object, uneven_s});
      }
    }
    for (Pair const& pair : least_uneven_) try_exchange(pair, place, best);
  }

  struct Pair {
    std::int32_t object;
    std::int32_t other;
    double uneven_s;
  };

  // Among the `pairs_tried` that are least uneven; what the next must be below.
  double keep_pair(Pair const& pair) {
    if (least_uneven_.size() == pairs_tried) least_uneven_.pop_back();
    least_uneven_.insert(
        std::ranges::upper_bound(least_uneven_, pair.uneven_s, {}, &Pair::uneven_s), pair);
    return least_uneven_.size() < pairs_tried ? std::numeric_limits<double>::infinity()
                                              : least_uneven_.back().uneven_s;
  }

  // What an object takes on the worst place, and on another.
  struct Weighed {
    std::int32_t object;
    double on_worst_s;
    double on_place_s;
  };

  void weigh(std::vector<std::int32_t> const& objects, int place, std::vector<Weighed>& weighed) {
    auto const takes_s = [&](int object, int where) {
      return state_.places().time_of(state_.graph(), object, where).value();
    };
    weighed.clear();
    for (std::int32_t const object : objects) {
      weighed.push_back({object, takes_s(object, worst_), takes_s(object, place)});
    }
  }

  // There and back, since the two may talk with each other.
  void try_exchange(Pair const& pair, int place, Step& best) {
    look_at(pair.object);
    if (!state_.has_room_to_exchange(pair.other)) return;
    before_.clear();
    LinkTimes const links = state_.links();
    keep(worst_);
    keep(place);
    for (Share const& share : state_.shares()) keep(share.place);
    // The two go the same way, so it holds for both.
    bool const are_links_touched = state_.touches_links(place);
    state_.move_to(place);
    look_at(pair.other);
    double longest = state_.longest_touched_s(worst_, best.longest_s);
    for (Kept const& kept : before_) {
      // Changed by the first of the two moves alone: longest_touched_s() speaks of the second.
      if (!is_touched(kept.place)) longest = std::max(longest, state_.time_s(kept.place));
      int const node = node_of(kept.place);
      if (are_links_touched && !is_node_touched(node)) {
        longest = std::max(longest, state_.links().node_s(node));
      }
    }
    look_at(pair.object);
    state_.move_to(worst_);
    // To the last bit: adding and taking off again would leave rounding behind.
    for (Kept const& kept : before_) state_.set_time_s(kept.place, kept.time_s);
    state_.set_links(links);
    if (longest < best.longest_s) best = {pair.object, place, pair.other, longest};
  }

  struct Kept {
    int place;
    double time_s;
  };

  void keep(int place) { before_.push_back({place, state_.time_s(place)}); }
  // By the second move of an exchange: where it comes from and goes to stand first in `before_`.
  [[nodiscard]] bool is_touched(int place) const {
    return place == before_[0].place || place == before_[1].place ||
           std::ranges::find(state_.shares(), place, &Share::place) != state_.shares().end();
  }
  // Whether the link of a node is, likewise.
  [[nodiscard]] bool is_node_touched(int node) const {
    auto const is_there = [&](Share const& share) { return node_of(share.place) == node; };
    return node == node_of(before_[0].place) || node == node_of(before_[1].place) ||
           std::ranges::any_of(state_.shares(), is_there);
  }

  void go(int object, int place) {
    int const before = state_.place_of(object);
    members_.move(object, before, place);
    look_at(object);
    state_.move_to(place);
    note_time(before);
    note_time(place);
    for (Share const& share : state_.shares()) note_time(share.place);
  }

  void note_time(int place) {
    double const time_s = state_.time_s(place);
    // The key is minus the time that was noted last (0 at first): so the difference is added.
    work_ += state_.places()[place].speed.value() * (time_s + latest_.key(place));
    latest_.set(place, -time_s);
    earliest_.set(place, time_s);
  }
  // As PhaseState::mean_s(), kept up to date.
  [[nodiscard]] double mean_s() const { return work_ / state_.places().speed_sum().value(); }

  PhaseState& state_;
  Members members_;
  std::int64_t looks_left_;
  double enough_s_;
  std::size_t steps_{0};
  std::size_t vain_turns_{0};  // of the busiest link
  double work_{0.0};           // times by speeds, of all places
  TournamentTree latest_;      // of places, by the negative of their times
  TournamentTree earliest_;    // by their times
  int worst_{};
  std::vector<int> early_;
  std::vector<Kept> before_;
  std::vector<Weighed> ours_;
  std::vector<Weighed> theirs_;
  std::vector<Pair> least_uneven_;
};

}  // namespace

void shorten_worst_first(PhaseState& state, std::int64_t looks_max, double enough_s) {
  if (state.places().count() < 2) return;
  WorstFirst search(state, looks_max, enough_s);
  while (search.step()) {
  }
}

}  // namespace makespan::graph
