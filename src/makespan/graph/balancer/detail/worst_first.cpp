// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/detail/worst_first.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

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
  WorstFirst(PhaseState& state, std::int64_t looks_max)
      : state_{state}, members_{state}, looks_left_{looks_max} {}

  // Whether the longest place could be made shorter.
  bool step() {
    auto const times = state_.times_s();
    worst_ = static_cast<int>(std::ranges::max_element(times) - times.begin());
    find_early();
    ++steps_;
    Step best{.longest_s = state_.time_s(worst_) * (1.0 - least_gain)};
    find_move(best);
    double const excess = state_.time_s(worst_) - state_.mean_s();
    if (best.object < 0 || state_.time_s(worst_) - best.longest_s < good_part * excess) {
      for (int const place : early_) find_exchange(place, best);
    }
    if (best.object < 0) return false;
    go(best.object, best.place);
    if (best.exchanged >= 0) go(best.exchanged, worst_);
    return looks_left_ > 0;
  }

 private:
  // Those that end first; of them one in the worst one's domain, if it has one.
  void find_early() {
    early_.clear();
    auto const earlier = [&](int a, int b) {
      return state_.time_s(a) < state_.time_s(b) || (state_.time_s(a) == state_.time_s(b) && a < b);
    };
    for (int place = 0; place < state_.places().count(); ++place) {
      if (place == worst_) continue;
      if (early_.size() == early_places && !earlier(place, early_.back())) continue;
      if (early_.size() == early_places) early_.pop_back();
      early_.insert(std::ranges::upper_bound(early_, place, earlier), place);
    }
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
    if (state_.time_s(place) + compute >= best.longest_s) return;
    double const longest = state_.longest_touched_s(place);
    if (longest < best.longest_s) best = {.object = object, .place = place, .longest_s = longest};
  }

  // Of the pairs whose exchange would make both places' computing most alike the first few.
  void find_exchange(int place, Step& best) {
    auto const here = some_of(worst_, members_weighed);
    auto const there = some_of(place, members_weighed);
    std::vector<Pair> pairs;
    double const gap = state_.time_s(worst_) - state_.time_s(place);
    for (std::int32_t const object : here) {
      for (std::int32_t const other : there) {
        double const lost = compute_s(object, worst_) - compute_s(other, worst_);
        double const won = compute_s(object, place) - compute_s(other, place);
        if (lost <= 0.0 || won >= gap) continue;
        pairs.push_back({object, other, std::fabs(gap - lost - won)});
      }
    }
    std::size_t const tried = std::min(pairs.size(), pairs_tried);
    std::ranges::partial_sort(pairs, pairs.begin() + static_cast<std::ptrdiff_t>(tried), {},
                              &Pair::uneven_s);
    for (Pair const& pair : std::span(pairs).first(tried)) try_exchange(pair, place, best);
  }

  struct Pair {
    std::int32_t object;
    std::int32_t other;
    double uneven_s;
  };

  [[nodiscard]] double compute_s(int object, int place) const {
    return state_.places().time_of(state_.graph(), object, place).value();
  }

  // There and back, since the two may talk with each other.
  void try_exchange(Pair const& pair, int place, Step& best) {
    look_at(pair.object);
    before_.clear();
    keep(worst_);
    keep(place);
    for (Share const& share : state_.shares()) keep(share.place);
    state_.move_to(place);
    look_at(pair.other);
    double longest = state_.longest_touched_s(worst_);
    for (Kept const& kept : before_) {
      bool const is_touched = kept.place == worst_ || kept.place == place || is_shared(kept.place);
      if (!is_touched) longest = std::max(longest, state_.time_s(kept.place));
    }
    look_at(pair.object);
    state_.move_to(worst_);
    // To the last bit: adding and taking off again would leave rounding behind.
    for (Kept const& kept : before_) state_.set_time_s(kept.place, kept.time_s);
    if (longest < best.longest_s) best = {pair.object, place, pair.other, longest};
  }

  struct Kept {
    int place;
    double time_s;
  };

  void keep(int place) { before_.push_back({place, state_.time_s(place)}); }
  [[nodiscard]] bool is_shared(int place) const {
    return std::ranges::find(state_.shares(), place, &Share::place) != state_.shares().end();
  }

  void go(int object, int place) {
    members_.move(object, state_.place_of(object), place);
    look_at(object);
    state_.move_to(place);
  }

  PhaseState& state_;
  Members members_;
  std::int64_t looks_left_;
  std::size_t steps_{0};
  int worst_{};
  std::vector<int> early_;
  std::vector<Kept> before_;
};

}  // namespace

void shorten_worst_first(PhaseState& state, std::int64_t looks_max) {
  if (state.places().count() < 2) return;
  WorstFirst search(state, looks_max);
  while (search.step()) {
  }
}

}  // namespace makespan::graph
