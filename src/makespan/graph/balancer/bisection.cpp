// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/bisection.hpp"

#include <algorithm>
#include <cmath>

namespace makespan::graph {

namespace {

constexpr std::int32_t nobody = -1;

// The pass ends after so many changes of side without a better cut, or a hundredth of the objects.
constexpr std::ptrdiff_t patience_min = 100;

}  // namespace

Bisection::Bisection(TalkGraph const& talks, std::vector<double> const& weights)
    : talks_(&talks),
      weights_(&weights),
      set_of_(weights.size()),
      side_(weights.size()),
      is_bound_(weights.size()),
      is_done_(weights.size()),
      saved_s_(weights.size()) {
}

void Bisection::begin(std::span<std::int32_t const> objects) {
  ++set_;
  first_weight_ = 0.0;
  candidates_ = {};
  for (std::int32_t const object : objects) set_of_[index(object)] = set_;
  for (std::int32_t const object : objects) {
    side_[index(object)] = Side::second;
    is_done_[index(object)] = 0;
    double talk_s = 0.0;
    for (Talk const& talk : talks_->of(object)) {
      if (is_member(talk.other)) talk_s += talk.cost_s;
    }
    saved_s_[index(object)] = -talk_s;
  }
}

void Bisection::bind(std::int32_t object, Bound bound) {
  is_bound_[index(object)] = bound == Bound::to_neither ? 0 : 1;
  is_done_[index(object)] = is_bound_[index(object)];
  if (bound == Bound::to_first) change_side(object);
}

std::size_t Bisection::cut_bound(std::span<std::int32_t> objects, BisectionShares const& shares) {
  double all = 0.0;
  double heaviest = 0.0;
  for (std::int32_t const object : objects) {
    all += (*weights_)[index(object)];
    heaviest = std::max(heaviest, (*weights_)[index(object)]);
  }
  double const target = shares.first * all;
  grow(objects, target);
  refine(objects, target, std::max(shares.slack * all, heaviest / 2));
  auto const second = std::ranges::stable_partition(
      objects, [&](std::int32_t object) { return side_[index(object)] == Side::first; });
  return objects.size() - second.size();
}

std::int32_t Bisection::rim_of(std::span<std::int32_t const> objects) {
  std::vector<std::int32_t> reached;
  std::vector<char>& is_seen = is_done_;  // all free ones are 0, and are made so again
  for (std::int32_t const object : objects) {
    if (is_bound_[index(object)] != 0) continue;
    reached.push_back(object);
    is_seen[index(object)] = 1;
    break;
  }
  if (reached.empty()) return nobody;
  for (std::size_t at = 0; at < reached.size(); ++at) {
    for (Talk const& talk : talks_->of(reached[at])) {
      if (!is_member(talk.other) || is_seen[index(talk.other)] != 0) continue;
      is_seen[index(talk.other)] = 1;
      reached.push_back(talk.other);
    }
  }
  for (std::int32_t const object : reached) is_seen[index(object)] = 0;
  return reached.back();
}

void Bisection::grow(std::span<std::int32_t const> objects, double target) {
  if (candidates_.empty()) {
    std::int32_t const rim = rim_of(objects);
    if (rim != nobody) offer(rim);
  }
  std::size_t untouched = 0;
  while (first_weight_ < target) {
    std::int32_t next = next_candidate();
    while (next == nobody && untouched < objects.size()) {
      std::int32_t const object = objects[untouched++];
      if (is_done_[index(object)] == 0) next = object;
    }
    if (next == nobody) break;
    is_done_[index(next)] = 1;
    // What would make the side miss its weight by more than it does is left to the other.
    double const weight = (*weights_)[index(next)];
    if (first_weight_ + weight - target <= target - first_weight_) change_side(next);
  }
}

void Bisection::refine(std::span<std::int32_t const> objects, double target, double slack) {
  candidates_ = {};
  for (std::int32_t const object : objects) is_done_[index(object)] = is_bound_[index(object)];
  for (std::int32_t const object : objects) {
    bool const is_at_border = std::ranges::any_of(talks_->of(object), [&](Talk const& talk) {
      return is_member(talk.other) && side_[index(talk.other)] != side_[index(object)];
    });
    if (is_at_border) offer(object);
  }

  std::ptrdiff_t const patience = std::max(patience_min, std::ssize(objects) / 100);
  std::vector<std::int32_t> changed;
  std::ptrdiff_t best = 0;
  double saved_s = 0.0;
  double best_s = 0.0;
  while (std::ssize(changed) - best < patience) {
    std::int32_t const next = next_candidate();
    if (next == nobody) break;
    is_done_[index(next)] = 1;
    double const weight = (*weights_)[index(next)];
    double const after = first_weight_ + (side_[index(next)] == Side::first ? -weight : weight);
    if (std::abs(after - target) > std::max(slack, std::abs(first_weight_ - target))) continue;
    saved_s += saved_s_[index(next)];
    change_side(next);
    changed.push_back(next);
    if (saved_s > best_s) {
      best_s = saved_s;
      best = std::ssize(changed);
    }
  }
  for (; std::ssize(changed) > best; changed.pop_back()) change_side(changed.back());
}

std::int32_t Bisection::next_candidate() {
  while (!candidates_.empty()) {
    Candidate const next = candidates_.top();
    candidates_.pop();
    if (is_done_[index(next.object)] == 0 && next.saved_s == saved_s_[index(next.object)]) {
      return next.object;
    }
  }
  return nobody;
}

void Bisection::offer(std::int32_t object) {
  if (is_done_[index(object)] != 0) return;
  candidates_.push({.saved_s = saved_s_[index(object)], .number = offered_++, .object = object});
}

void Bisection::change_side(std::int32_t object) {
  Side const before = side_[index(object)];
  double const weight = (*weights_)[index(object)];
  first_weight_ += before == Side::first ? -weight : weight;
  side_[index(object)] = before == Side::first ? Side::second : Side::first;
  saved_s_[index(object)] = -saved_s_[index(object)];
  for (Talk const& talk : talks_->of(object)) {
    if (!is_member(talk.other)) continue;
    double const twice_s = 2 * talk.cost_s;
    saved_s_[index(talk.other)] += side_[index(talk.other)] == before ? twice_s : -twice_s;
    offer(talk.other);
  }
}

}  // namespace makespan::graph
