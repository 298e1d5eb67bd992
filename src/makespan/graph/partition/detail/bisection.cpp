// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/partition/detail/bisection.hpp"

#include <algorithm>
#include <cmath>

#include "makespan/graph/partition/mean_costs.hpp"

namespace makespan::graph {

namespace {

// Weights may be off by so much of all, or by half of the heaviest object.
constexpr double slack_share = 0.01;
constexpr int bisection_passes = 3;
// Changes of side without a better cut, after which a pass ends.
constexpr int patience = 50;

}  // namespace

Bisection::Bisection(Graph const& graph, Places const& places)
    : graph_{graph},
      begin_{0},
      work_s_{mean_times_s(graph, places)},
      sides_(work_s_.size(), Side::elsewhere),
      is_done_(work_s_.size()),
      is_left_place_(static_cast<std::size_t>(places.count())),
      heap_(work_s_.size()) {
  MeanCosts const costs = mean_costs(places);
  for (int object = 0; object < graph.objects(); ++object) {
    // Without direction: what is cut costs the same, whichever of the two sends.
    for (auto const traffic : {graph.received(object), graph.sent(object)}) {
      for (Traffic const& one : traffic) {
        bonds_.push_back({one.other, static_cast<float>(costs.of(one))});
      }
    }
    begin_.push_back(bonds_.size());
  }
}

std::size_t Bisection::split(std::span<std::int32_t> objects, std::span<int const> left,
                             double share) {
  begin(objects, left, share);
  grow(objects);
  for (int pass = 0; pass < bisection_passes; ++pass) {
    if (!refine(objects)) break;
  }
  auto const second = std::ranges::stable_partition(
      objects, [this](std::int32_t object) { return side(object) == Side::left; });
  // Bonds to objects of other parts count for nothing when this part is cut in turn.
  for (std::int32_t const object : objects) sides_[index(object)] = Side::elsewhere;
  return static_cast<std::size_t>(second.begin() - objects.begin());
}

void Bisection::begin(std::span<std::int32_t const> objects, std::span<int const> left,
                      double share) {
  std::ranges::fill(is_left_place_, std::uint8_t{0});
  for (int const place : left) is_left_place_[index(place)] = 1;
  double all = 0.0;
  double heaviest = 0.0;
  left_s_ = 0.0;
  for (std::int32_t const object : objects) {
    double const work = work_s_[index(object)];
    all += work;
    heaviest = std::max(heaviest, work);
    sides_[index(object)] = Side::right;
    bool const is_left =
        !graph_.may_move(object) && is_left_place_[index(graph_.now()[index(object)])] != 0;
    if (!is_left) continue;
    sides_[index(object)] = Side::left;
    left_s_ += work;
  }
  target_s_ = share * all;
  slack_s_ = std::max(slack_share * all, heaviest / 2);
}

double Bisection::gain(int object) const {
  double sum = 0.0;
  for (Bond const& bond : bonds(object)) {
    if (side(bond.other) == Side::elsewhere) continue;
    double const strength = static_cast<double>(bond.strength);
    sum += side(bond.other) == side(object) ? -strength : strength;
  }
  return sum;
}

// Its friends' keys in the heap, -gain, follow.
void Bisection::change_side(int object) {
  Side& mine = sides_[index(object)];
  mine = mine == Side::left ? Side::right : Side::left;
  left_s_ += mine == Side::left ? work_s_[index(object)] : -work_s_[index(object)];
  for (Bond const& bond : bonds(object)) {
    if (!heap_.contains(bond.other)) continue;
    // A bond that was cut is so no more, or the other way: the friend's gain changes by both.
    double const change = 2.0 * static_cast<double>(bond.strength);
    heap_.set(bond.other, heap_.key(bond.other) + (side(bond.other) == mine ? change : -change));
  }
}

void Bisection::offer(int object) {
  if (is_done_[index(object)] != 0 || heap_.contains(object) || !graph_.may_move(object)) return;
  heap_.set(object, -gain(object));
}

// The last one that a search in breadth from `first` comes to, of those on the right.
int Bisection::outermost(std::int32_t first) {
  std::vector<std::int32_t> queue{first};
  is_done_[index(first)] = 1;
  for (std::size_t at = 0; at < queue.size(); ++at) {
    for (Bond const& bond : bonds(queue[at])) {
      bool const is_new = side(bond.other) == Side::right && is_done_[index(bond.other)] == 0 &&
                          graph_.may_move(bond.other);
      if (!is_new) continue;
      is_done_[index(bond.other)] = 1;
      queue.push_back(bond.other);
    }
  }
  for (std::int32_t const object : queue) is_done_[index(object)] = 0;
  return queue.back();
}

void Bisection::grow(std::span<std::int32_t const> objects) {
  heap_.clear();
  auto const offer_friends = [this](int object) {
    for (Bond const& bond : bonds(object)) {
      if (side(bond.other) == Side::right) offer(bond.other);
    }
  };
  for (std::int32_t const object : objects) {
    if (side(object) == Side::left) offer_friends(object);
  }
  // Until the end of this objects go from right to left alone: one that was passed over here is
  // passed over for good, or many small components would be looked through as often.
  std::span<std::int32_t const> rest = objects;
  while (left_s_ < target_s_) {
    if (heap_.empty()) {
      auto const first = std::ranges::find_if(rest, [this](std::int32_t object) {
        return side(object) == Side::right && graph_.may_move(object);
      });
      if (first == rest.end()) return;
      rest = {first, rest.end()};
      // What grows from the rim has a cut on one side; from the middle it would have one all
      // around.
      offer(outermost(*first));
    }
    int const next = heap_.top();
    heap_.erase(next);
    // With the next one it would be further from the target than without.
    if (left_s_ + work_s_[index(next)] - target_s_ > target_s_ - left_s_) return;
    change_side(next);
    offer_friends(next);
  }
}

// One pass: every object changes sides once at most, the best first, even at a loss; what came
// after the best cut is undone. Whether it is better than it was.
bool Bisection::refine(std::span<std::int32_t const> objects) {
  heap_.clear();
  for (std::int32_t const object : objects) {
    is_done_[index(object)] = 0;
    bool const is_at_the_cut = std::ranges::any_of(bonds(object), [&](Bond const& bond) {
      return side(bond.other) != Side::elsewhere && side(bond.other) != side(object);
    });
    // The others would make the cut longer. They are offered when a friend has changed sides.
    if (is_at_the_cut) offer(object);
  }
  std::vector<std::int32_t> changed;
  std::size_t kept = 0;
  double gained = 0.0;
  double best = 0.0;
  while (!heap_.empty() && changed.size() < kept + patience) {
    int const object = heap_.top();
    double const gain = -heap_.key(object);
    heap_.erase(object);
    is_done_[index(object)] = 1;
    double const work = work_s_[index(object)];
    double const off = std::fabs(left_s_ - target_s_);
    double const then =
        std::fabs(left_s_ + (side(object) == Side::left ? -work : work) - target_s_);
    // A change that leaves the sides too uneven must at least make them less so.
    if (then > slack_s_ && then >= off) continue;
    change_side(object);
    for (Bond const& bond : bonds(object)) {
      if (side(bond.other) != Side::elsewhere) offer(bond.other);
    }
    changed.push_back(object);
    gained += gain;
    // Better by more than rounding.
    if (gained <= best * (1 + 1e-9)) continue;
    best = gained;
    kept = changed.size();
  }
  heap_.clear();
  while (changed.size() > kept) {
    change_side(changed.back());
    changed.pop_back();
  }
  for (std::int32_t const object : objects) is_done_[index(object)] = 0;
  return kept > 0;
}

}  // namespace makespan::graph
