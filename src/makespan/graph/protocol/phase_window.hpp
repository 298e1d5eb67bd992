// SPDX-License-Identifier: Apache-2.0
#pragma once

// The last few phases under one mapping, as numbers that one phase that went wrong does not change.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace makespan::graph {

// What is known of a phase without asking objects: the time from its beginning to its end on a
// clock, and of the times that places were busy (each divided by the part of that time in which it
// had its core) the longest and the mean, weighted by speed [s].
struct PhaseFacts {
  double phase_s{0.0};
  double longest_s{0.0};
  double mean_s{0.0};

  // How much longer it took than spread evenly, as a factor: it stays while all loads grow alike. 1
  // of a phase without work.
  [[nodiscard]] double ratio() const { return mean_s > 0.0 ? phase_s / mean_s : 1.0; }
  // No mapping of the same work can save more, but for messages.
  [[nodiscard]] double excess_s() const;
};

// Of the phases in a window: medians, and the largest less the smallest.
struct PhaseSummary {
  std::int64_t phases{0};
  double phase_s{0.0};
  double phase_range_s{0.0};
  double ratio{1.0};
  double ratio_range{0.0};
  double excess_s{0.0};
};

// Tested by tests/graph/protocol/phase_window_test.cpp.
class PhaseWindow {
 public:
  static constexpr std::size_t length = 8;

  void add(PhaseFacts const& phase);
  void clear() { phases_.clear(); }

  [[nodiscard]] std::int64_t count() const { return std::ssize(phases_); }
  // All zero of none.
  [[nodiscard]] PhaseSummary summary() const;

 private:
  std::vector<PhaseFacts> phases_;  // the oldest first
};

}  // namespace makespan::graph
