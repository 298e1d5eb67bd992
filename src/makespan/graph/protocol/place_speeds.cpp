// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/protocol/place_speeds.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "makespan/base/contracts.hpp"
#include "makespan/base/median.hpp"

namespace makespan::graph {

namespace {

bool counts(double before_s, double now_s, double least_s) {
  bool const is_known =
      std::isfinite(before_s) && std::isfinite(now_s) && before_s > 0.0 && now_s > 0.0;
  return is_known && before_s >= least_s && now_s >= least_s;
}

// What those that moved say of speeds before drift is taken off, by place; and drift.
struct Samples {
  std::vector<std::vector<double>> of_place{};
  std::vector<double> drift{};
  // What those that moved would say of drift, if speeds were what they are taken for.
  std::vector<double> drift_of_moved{};
};

Samples samples_from(std::span<double const> speeds, ObjectTimes const& times, double least_s) {
  Samples samples{.of_place = std::vector<std::vector<double>>(speeds.size())};
  for (std::size_t object = 0; object < times.now_s.size(); ++object) {
    double const before_s = times.before_s[object];
    double const now_s = times.now_s[object];
    if (!counts(before_s, now_s, least_s)) continue;
    auto const from = static_cast<std::size_t>(times.place_before[object]);
    auto const to = static_cast<std::size_t>(times.place_now[object]);
    MAKESPAN_EXPECT(from < speeds.size());
    MAKESPAN_EXPECT(to < speeds.size());
    if (from == to) {
      samples.drift.push_back(now_s / before_s);
    } else {
      samples.of_place[to].push_back(before_s / now_s * speeds[from]);
      samples.drift_of_moved.push_back(now_s * speeds[to] / (before_s * speeds[from]));
    }
  }
  return samples;
}

double blended(double old, double sample, SpeedLearning const& options) {
  double const step = std::pow(sample / old, options.blend);
  return old * std::clamp(step, 1.0 / options.step_max, options.step_max);
}

// Scales `now` so that the measured time makes as much work as with the speeds before.
void keep_work(std::span<double const> before, std::span<double> now, ObjectTimes const& times) {
  double old_work = 0.0;
  double new_work = 0.0;
  for (std::size_t object = 0; object < times.now_s.size(); ++object) {
    double const now_s = times.now_s[object];
    if (!std::isfinite(now_s) || now_s <= 0.0) continue;
    auto const place = static_cast<std::size_t>(times.place_now[object]);
    MAKESPAN_EXPECT(place < before.size());
    old_work += now_s * before[place];
    new_work += now_s * now[place];
  }
  for (double& speed : now) speed *= old_work / new_work;
}

void expect_sound(std::span<double const> speeds, ObjectTimes const& times,
                  SpeedLearning const& options) {
  MAKESPAN_EXPECT(times.before_s.size() == times.now_s.size());
  MAKESPAN_EXPECT(times.place_before.size() == times.now_s.size());
  MAKESPAN_EXPECT(times.place_now.size() == times.now_s.size());
  MAKESPAN_EXPECT(options.samples_min >= 1);
  MAKESPAN_EXPECT(options.blend >= 0.0 && options.blend <= 1.0);
  MAKESPAN_EXPECT(options.step_max >= 1.0);
  for (double const speed : speeds) MAKESPAN_EXPECT(std::isfinite(speed) && speed > 0.0);
}

}  // namespace

std::vector<double> learned_speeds(std::span<double const> speeds, ObjectTimes const& times,
                                   SpeedLearning const& options) {
  expect_sound(speeds, times, options);
  std::vector<double> learned(speeds.begin(), speeds.end());
  Samples samples = samples_from(speeds, times, options.time_s_min);
  auto const enough = static_cast<std::size_t>(options.samples_min);
  // Where too few have stayed, most of those that moved tell how work has grown, unless most of
  // them came to places that are all slower than they are taken for, or all faster: then nothing is
  // learned, as little as without them.
  bool const have_stayed = samples.drift.size() >= enough;
  auto& told = have_stayed ? samples.drift : samples.drift_of_moved;
  if (told.size() < enough) return learned;
  double const drift = median_or(std::move(told), 1.0);
  bool is_changed = false;
  for (std::size_t place = 0; place < learned.size(); ++place) {
    if (samples.of_place[place].size() < enough) continue;
    double const sample = median_or(std::move(samples.of_place[place]), speeds[place]) * drift;
    learned[place] = blended(speeds[place], sample, options);
    is_changed = true;
  }
  if (is_changed) keep_work(speeds, learned, times);
  return learned;
}

}  // namespace makespan::graph
