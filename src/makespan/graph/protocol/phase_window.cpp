// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/protocol/phase_window.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "makespan/base/contracts.hpp"
#include "makespan/base/median.hpp"

namespace makespan::graph {

namespace {

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

bool is_time(double seconds) {
  return std::isfinite(seconds) && seconds >= 0.0;
}

double PhaseFacts::excess_s() const {
  return std::max(0.0, longest_s - mean_s);
}

PhaseFacts facts_of(std::span<PlaceBusy const> places, double phase_s) {
  PhaseFacts facts;
  double work = 0.0;
  double speed = 0.0;
  for (PlaceBusy const& place : places) {
    facts.longest_s = std::max(facts.longest_s, place.wall_s);
    // Seconds of different places add up as work.
    work += place.wall_s * place.availability * place.speed;
    speed += place.availability * place.speed;
  }
  facts.mean_s = work / speed;
  for (PlaceBusy const& place : places) facts.over_mean_s.push_back(place.wall_s - facts.mean_s);
  facts.phase_s = std::max(phase_s, facts.longest_s);
  return facts;
}

void PhaseWindow::add(PhaseFacts const& phase) {
  MAKESPAN_EXPECT(is_time(phase.phase_s));
  MAKESPAN_EXPECT(is_time(phase.longest_s));
  MAKESPAN_EXPECT(is_time(phase.mean_s));
  MAKESPAN_EXPECT(phases_.empty() ||
                  phase.over_mean_s.size() == phases_.front().over_mean_s.size());
  if (phases_.size() == length) phases_.erase(phases_.begin());
  phases_.push_back(phase);
}

PhaseSummary PhaseWindow::summary() const {
  std::vector<double> times;
  std::vector<double> ratios;
  for (PhaseFacts const& phase : phases_) {
    times.push_back(phase.phase_s);
    ratios.push_back(phase.ratio());
  }
  PhaseSummary summary{.phases = count()};
  summary.phase_range_s = range_of(times);
  summary.phase_min_s = times.empty() ? 0.0 : std::ranges::min(times);
  summary.ratio_range = range_of(ratios);
  summary.phase_s = median_or(std::move(times), 0.0);
  summary.ratio = median_or(std::move(ratios), 1.0);
  summary.excess_s = lasting_excess_s();
  summary.growth = growth();
  return summary;
}

double PhaseWindow::lasting_excess_s() const {
  if (phases_.empty()) return 0.0;
  std::vector<double> values(phases_.size());
  std::size_t const places = phases_.front().over_mean_s.size();
  if (places == 0) {
    std::ranges::transform(phases_, values.begin(), &PhaseFacts::excess_s);
    return median_or(std::move(values), 0.0);
  }
  std::vector<double> medians_s;
  for (std::size_t place = 0; place < places; ++place) {
    std::ranges::transform(phases_, values.begin(),
                           [&](PhaseFacts const& phase) { return phase.over_mean_s[place]; });
    medians_s.push_back(median_or(values, 0.0));
  }
  // A median of n normal values has 1.25 times the error of their mean; the largest of so many lies
  // at sqrt(2 ln places) errors, and two more are hardly chance.
  double const error_s = 1.25 * deviation_s(medians_s) / std::sqrt(static_cast<double>(count()));
  double const errors = 2.0 + std::sqrt(2.0 * std::log(static_cast<double>(places)));
  return std::max(0.0, std::ranges::max(medians_s) - errors * error_s);
}

// Of a place's time in one phase from its median. Of six phases and more without the one that was
// furthest from them, so that one that went wrong hides nothing.
double PhaseWindow::deviation_s(std::vector<double> const& medians_s) const {
  constexpr std::size_t trimmed_from = 6;
  if (phases_.size() < 2) return 0.0;
  std::vector<double> squares;
  for (PhaseFacts const& phase : phases_) {
    double sum = 0.0;
    for (std::size_t place = 0; place < medians_s.size(); ++place) {
      double const from_median_s = phase.over_mean_s[place] - medians_s[place];
      sum += from_median_s * from_median_s;
    }
    squares.push_back(sum);
  }
  if (squares.size() >= trimmed_from) squares.erase(std::ranges::max_element(squares));
  double const all = std::accumulate(squares.begin(), squares.end(), 0.0);
  return std::sqrt(all / static_cast<double>(medians_s.size() * (squares.size() - 1)));
}

double PhaseWindow::growth() const {
  constexpr double growth_certainty = 2.0;
  constexpr std::size_t growth_phases_min = 5;
  if (phases_.size() < growth_phases_min) return 0.0;
  std::vector<double> slopes;
  double ups_less_downs = 0.0;
  for (std::size_t later = 1; later < phases_.size(); ++later) {
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      double const from = phases_[earlier].mean_s;
      double const to = phases_[later].mean_s;
      if (from <= 0.0 || to <= 0.0) return 0.0;
      ups_less_downs += to > from ? 1.0 : to < from ? -1.0 : 0.0;
      slopes.push_back(std::log(to / from) / static_cast<double>(later - earlier));
    }
  }
  auto const n = static_cast<double>(phases_.size());
  // Of Kendall's S where the order is chance.
  double const deviation = std::sqrt(n * (n - 1.0) * (2.0 * n + 5.0) / 18.0);
  if (std::abs(ups_less_downs) < growth_certainty * deviation) return 0.0;
  return std::expm1(median_or(std::move(slopes), 0.0));
}

}  // namespace makespan::graph
