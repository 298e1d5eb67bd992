// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/protocol/phase_window.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "makespan/base/contracts.hpp"
#include "makespan/base/median.hpp"

namespace makespan::graph {

namespace {

bool is_time(double seconds) {
  return std::isfinite(seconds) && seconds >= 0.0;
}

// Of six values and more without the outermost two, stretched to what it would be with them if the
// values were normal: 2.85 deviations of eight, against 1.70 (Teichroew, "Tables of expected values
// of order statistics", Ann. Math. Statist. 27, 1956).
double range_of(std::vector<double> values) {
  constexpr std::size_t trimmed_from = 6;
  constexpr double stretch = 2.85 / 1.70;
  if (values.empty()) return 0.0;
  std::ranges::sort(values);
  if (values.size() < trimmed_from) return values.back() - values.front();
  return stretch * (values[values.size() - 2] - values[1]);
}

}  // namespace

double PhaseFacts::excess_s() const {
  return std::max(0.0, longest_s - mean_s);
}

void PhaseWindow::add(PhaseFacts const& phase) {
  MAKESPAN_EXPECT(is_time(phase.phase_s));
  MAKESPAN_EXPECT(is_time(phase.longest_s));
  MAKESPAN_EXPECT(is_time(phase.mean_s));
  if (phases_.size() == length) phases_.erase(phases_.begin());
  phases_.push_back(phase);
}

PhaseSummary PhaseWindow::summary() const {
  std::vector<double> times;
  std::vector<double> ratios;
  std::vector<double> excess;
  for (PhaseFacts const& phase : phases_) {
    times.push_back(phase.phase_s);
    ratios.push_back(phase.ratio());
    excess.push_back(phase.excess_s());
  }
  PhaseSummary summary{.phases = count()};
  summary.phase_range_s = range_of(times);
  summary.ratio_range = range_of(ratios);
  summary.phase_s = median_or(std::move(times), 0.0);
  summary.ratio = median_or(std::move(ratios), 1.0);
  summary.excess_s = median_or(std::move(excess), 0.0);
  return summary;
}

}  // namespace makespan::graph
