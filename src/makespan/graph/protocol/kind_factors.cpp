// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/protocol/kind_factors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "makespan/base/contracts.hpp"
#include "makespan/base/median.hpp"

namespace makespan::graph {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

bool is_measured(double time_s, double least_s) {
  return std::isfinite(time_s) && time_s > 0.0 && time_s >= least_s;
}

}  // namespace

KindFactors::KindFactors(std::vector<int> kind, std::vector<std::int32_t> group)
    : kind_{std::move(kind)}, group_{std::move(group)} {
  for (int const each : kind_) {
    MAKESPAN_EXPECT(each >= 0);
    kinds_ = std::max(kinds_, static_cast<std::size_t>(each) + 1);
  }
  for (std::int32_t const each : group_) {
    MAKESPAN_EXPECT(each >= 0);
    groups_ = std::max(groups_, static_cast<std::size_t>(each) + 1);
  }
  if (kinds_ == 1) return;
  own_.assign(group_.size() * kinds_, unknown);
  of_group_.assign(groups_ * kinds_, 0.0);
  is_of_group_.assign(groups_ * kinds_, false);
}

bool KindFactors::changed_kind(ObjectTimes const& times, std::size_t object) const {
  std::int32_t const before = times.place_before[object];
  std::int32_t const now = times.place_now[object];
  if (before < 0 || now < 0) return false;
  return kind_[static_cast<std::size_t>(before)] != kind_[static_cast<std::size_t>(now)];
}

void KindFactors::learn(std::span<double const> speeds, ObjectTimes const& times,
                        SpeedLearning const& options) {
  if (kinds_ == 1) return;
  MAKESPAN_EXPECT(speeds.size() == kind_.size() && times.now_s.size() == group_.size());
  auto const tells = [&](std::size_t object) {
    return is_measured(times.before_s[object], options.time_s_min) &&
           is_measured(times.now_s[object], options.time_s_min);
  };
  std::vector<double> shrunk;
  for (std::size_t object = 0; object < group_.size(); ++object) {
    if (!tells(object) || changed_kind(times, object)) continue;
    auto const from = static_cast<std::size_t>(times.place_before[object]);
    auto const to = static_cast<std::size_t>(times.place_now[object]);
    shrunk.push_back(times.before_s[object] * speeds[from] / (times.now_s[object] * speeds[to]));
  }
  auto const enough = static_cast<std::size_t>(options.samples_min);
  // Else work that has grown would be taken for a kind.
  if (shrunk.size() < enough) return;
  double const drift = median_or(std::move(shrunk), 1.0);
  bool is_changed = false;
  for (std::size_t object = 0; object < group_.size(); ++object) {
    if (!tells(object) || !changed_kind(times, object)) continue;
    auto const from = static_cast<std::size_t>(times.place_before[object]);
    auto const to = static_cast<std::size_t>(times.place_now[object]);
    double const ratio = std::log(times.now_s[object] * speeds[to] * drift /
                                  (times.before_s[object] * speeds[from]));
    auto const kind_from = static_cast<std::size_t>(kind_[from]);
    auto const kind_to = static_cast<std::size_t>(kind_[to]);
    double& here = own_[cell(object, kind_from)];
    double& there = own_[cell(object, kind_to)];
    // A move tells of two kinds beside each other. The first is put where it is estimated to be,
    // and what later moves tell hangs on what is known by then.
    if (std::isnan(here) && std::isnan(there)) {
      here = estimate(object, kind_from);
      there = here + ratio;
    } else if (std::isnan(there)) {
      there = here + ratio;
    } else if (std::isnan(here)) {
      here = there - ratio;
    } else {
      there += options.blend * (here + ratio - there);
    }
    is_changed = true;
  }
  if (is_changed) summarize(enough);
}

// Of some objects, by kind, the median of what they say of it beside kinds that are known already,
// beginning with kind 0: no number where fewer than `samples_min` say so.
std::vector<double> KindFactors::usual_of(std::span<std::size_t const> objects,
                                          std::size_t samples_min) const {
  std::vector<double> usual(kinds_, unknown);
  usual[0] = 0.0;
  // A kind is told of beside any kind that is known, so each one found may bring others.
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (std::size_t kind = 1; kind < kinds_; ++kind) {
      if (!std::isnan(usual[kind])) continue;
      std::vector<double> samples;
      for (std::size_t const object : objects) {
        double const told = own_[cell(object, kind)];
        std::size_t other = 0;
        // NaN makes the sum NaN: the first kind that both the object and `usual` know.
        while (other < kinds_ && std::isnan(own_[cell(object, other)] + usual[other])) ++other;
        if (std::isnan(told) || other == kinds_) continue;
        samples.push_back(told - own_[cell(object, other)] + usual[other]);
      }
      if (samples.size() < samples_min) continue;
      usual[kind] = median_or(std::move(samples), 0.0);
      is_new = true;
    }
  }
  return usual;
}

void KindFactors::summarize(std::size_t samples_min) {
  std::vector<std::vector<std::size_t>> members(groups_);
  std::vector<std::size_t> all(group_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  for (std::size_t const object : all) {
    members[static_cast<std::size_t>(group_[object])].push_back(object);
  }
  std::vector<double> const of_all = usual_of(all, samples_min);
  for (std::size_t group = 0; group < groups_; ++group) {
    std::vector<double> const own = usual_of(members[group], samples_min);
    for (std::size_t kind = 0; kind < kinds_; ++kind) {
      double const found = std::isnan(own[kind]) ? of_all[kind] : own[kind];
      of_group_[cell(group, kind)] = std::isnan(found) ? 0.0 : found;
      is_of_group_[cell(group, kind)] = !std::isnan(own[kind]);
    }
  }
}

// As a logarithm, relative to what the object says of its other kinds.
double KindFactors::estimate(std::size_t object, std::size_t kind) const {
  double const told = own_[cell(object, kind)];
  if (!std::isnan(told)) return told;
  auto const group = static_cast<std::size_t>(group_[object]);
  double const usual = of_group_[cell(group, kind)];
  for (std::size_t other = 0; other < kinds_; ++other) {
    double const known = own_[cell(object, other)];
    if (!std::isnan(known)) return known + usual - of_group_[cell(group, other)];
  }
  return usual;
}

double KindFactors::factor(int object, int kind) const {
  if (kinds_ == 1 || kind == 0) return 1.0;
  auto const at = static_cast<std::size_t>(object);
  auto const column = static_cast<std::size_t>(kind);
  double const own = estimate(at, column) - estimate(at, 0);
  std::size_t const usual = cell(static_cast<std::size_t>(group_[at]), column);
  return std::exp(is_of_group_[usual] ? (own + of_group_[usual]) / 2.0 : own);
}

ObjectTimes KindFactors::within_kinds(ObjectTimes const& times, std::vector<double>& now_s) const {
  if (kinds_ == 1) return times;
  now_s.assign(times.now_s.begin(), times.now_s.end());
  for (std::size_t object = 0; object < now_s.size(); ++object) {
    // Not measured, as far as speeds are concerned.
    if (changed_kind(times, object)) now_s[object] = -1.0;
  }
  return {.before_s = times.before_s,
          .now_s = now_s,
          .place_before = times.place_before,
          .place_now = times.place_now};
}

}  // namespace makespan::graph
