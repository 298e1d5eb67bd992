// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/protocol/kind_factors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
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
    if (!tells(object) || times.place_before[object] != times.place_now[object]) continue;
    shrunk.push_back(times.before_s[object] / times.now_s[object]);
  }
  auto const enough = static_cast<std::size_t>(options.samples_min);
  double const drift = shrunk.size() < enough ? 1.0 : median_or(std::move(shrunk), 1.0);
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

// By group the median over objects that have told of both kinds.
void KindFactors::summarize(std::size_t samples_min) {
  std::vector<std::vector<double>> samples(of_group_.size());
  std::vector<std::vector<double>> of_all(kinds_);
  for (std::size_t object = 0; object < group_.size(); ++object) {
    double const first = own_[cell(object, 0)];
    if (std::isnan(first)) continue;
    for (std::size_t kind = 1; kind < kinds_; ++kind) {
      double const other = own_[cell(object, kind)];
      if (std::isnan(other)) continue;
      samples[cell(static_cast<std::size_t>(group_[object]), kind)].push_back(other - first);
      of_all[kind].push_back(other - first);
    }
  }
  for (std::size_t kind = 1; kind < kinds_; ++kind) {
    bool const are_enough = of_all[kind].size() >= samples_min;
    double const all = are_enough ? median_or(std::move(of_all[kind]), 0.0) : 0.0;
    for (std::size_t group = 0; group < groups_; ++group) {
      auto& own = samples[cell(group, kind)];
      of_group_[cell(group, kind)] = own.size() >= samples_min ? median_or(std::move(own), all)
                                                               : all;
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
  if (kinds_ == 1) return 1.0;
  auto const at = static_cast<std::size_t>(object);
  return std::exp(estimate(at, static_cast<std::size_t>(kind)) - estimate(at, 0));
}

ObjectTimes KindFactors::within_kinds(ObjectTimes const& times, std::vector<double>& now_s) const {
  if (kinds_ == 1) return times;
  now_s.assign(times.now_s.begin(), times.now_s.end());
  for (std::size_t object = 0; object < now_s.size(); ++object) {
    if (changed_kind(times, object)) now_s[object] = -1.0;
  }
  return {.before_s = times.before_s,
          .now_s = now_s,
          .place_before = times.place_before,
          .place_now = times.place_now};
}

}  // namespace makespan::graph
