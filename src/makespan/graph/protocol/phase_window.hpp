// SPDX-License-Identifier: Apache-2.0
#pragma once

// The last few phases under one mapping, as numbers that one phase that went wrong does not change.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace makespan::graph {

// Whether `seconds` can be how long something took: finite, and not negative.
[[nodiscard]] bool is_time(double seconds);

// What is known of a phase without asking objects: the time from its beginning to its end on a
// clock, and of the times that places were busy (each divided by the part of that time in which it
// had its core) the longest and the mean, weighted by speed [s].
struct PhaseFacts {
  double phase_s{0.0};
  double longest_s{0.0};
  double mean_s{0.0};
  // By place: its time less the mean. Empty: not known, one place is taken to be always the
  // longest.
  std::vector<double> over_mean_s{};

  // How much longer it took than spread evenly, as a factor: it stays while all loads grow alike. 1
  // of a phase without work.
  [[nodiscard]] double ratio() const { return mean_s > 0.0 ? phase_s / mean_s : 1.0; }
  // No mapping of the same work can save more, but for messages.
  [[nodiscard]] double excess_s() const;
};

// A place in a phase: how long it was busy, the part of that in which it had its core, and its
// speed while it has it.
struct PlaceBusy {
  double wall_s{0.0};
  double availability{1.0};
  double speed{1.0};
};

// Of a phase that took `phase_s`, or as long as its longest place.
[[nodiscard]] PhaseFacts facts_of(std::span<PlaceBusy const> places, double phase_s);

// Of the phases in a window: medians, and the largest less the smallest. The excess is that of the
// place whose own median is the longest, less what the longest of so many medians can be by chance.
// So if the longest place changes from phase to phase there is no excess, though a mapping might
// help if the places took turns by a rule.
struct PhaseSummary {
  std::int64_t phases{0};
  double phase_s{0.0};
  double phase_range_s{0.0};
  double phase_min_s{0.0};  // the shortest
  double ratio{1.0};
  double ratio_range{0.0};
  double excess_s{0.0};
  // By what part the mean grows from phase to phase, below 0 where it shrinks; 0 unless at least
  // five phases rise or fall by more than two standard errors of Kendall's S (Biometrika 30, 1938;
  // the slope is the median of pairs: Sen, "Estimates of the regression coefficient based on
  // Kendall's tau", J. Am. Stat. Assoc. 63, 1968).
  double growth{0.0};
};

// Tested by tests/graph/protocol/phase_window_test.cpp.
class PhaseWindow {
 public:
  static constexpr std::size_t length = 8;

  // Of as many places as those before.
  void add(PhaseFacts const& phase);
  void clear() { phases_.clear(); }

  [[nodiscard]] std::int64_t count() const { return std::ssize(phases_); }
  // All zero of none.
  [[nodiscard]] PhaseSummary summary() const;

 private:
  [[nodiscard]] double lasting_excess_s() const;
  [[nodiscard]] double deviation_s(std::vector<double> const& medians_s) const;
  [[nodiscard]] double growth() const;

  std::vector<PhaseFacts> phases_;  // the oldest first
};

}  // namespace makespan::graph
