// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/protocol/load_noise.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

#include "makespan/base/contracts.hpp"
#include "makespan/base/median.hpp"
#include "makespan/graph/protocol/phase_window.hpp"

namespace makespan::graph {

namespace {

constexpr double deviations_in_median = 1.4826;
// What is shorter says more of the clock.
constexpr double time_s_min = 1e-6;

}  // namespace

double load_noise(ObjectTimes const& times, int places, double otherwise, int samples_min) {
  MAKESPAN_EXPECT(samples_min >= 1);
  MAKESPAN_EXPECT(times.before_s.size() == times.now_s.size());
  std::vector<double> before_s(static_cast<std::size_t>(places));
  std::vector<double> now_s(before_s);
  for (std::size_t object = 0; object < times.now_s.size(); ++object) {
    std::int32_t const place = times.place_now[object];
    bool const has_stayed = place >= 0 && times.place_before[object] == place;
    if (!has_stayed || !is_time(times.before_s[object]) || !is_time(times.now_s[object])) continue;
    before_s[static_cast<std::size_t>(place)] += times.before_s[object];
    now_s[static_cast<std::size_t>(place)] += times.now_s[object];
  }
  std::vector<double> changes;
  for (std::size_t place = 0; place < now_s.size(); ++place) {
    if (before_s[place] < time_s_min || now_s[place] < time_s_min) continue;
    changes.push_back(std::log(now_s[place] / before_s[place]));
  }
  if (std::ssize(changes) < samples_min) return otherwise;
  double const all = median_or(changes, 0.0);
  for (double& change : changes) change = std::fabs(change - all);
  return deviations_in_median * median_or(std::move(changes), 0.0) / std::numbers::sqrt2;
}

}  // namespace makespan::graph
