// SPDX-License-Identifier: Apache-2.0
#pragma once

// Traversed edges per second (TEPS) of many searches, as Graph500's specification sums them up
// (https://graph500.org/?page_id=12, "Computing and Outputting Performance Information").

#include <span>

namespace makespan::graph500 {

struct TepsStatistics {
  double harmonic_mean{0.0};
  // Of the harmonic mean: H^2 sqrt(sum (1/x - 1/H)^2) / (n - 1). N. Norris, "The Standard Errors of
  // the Geometric and Harmonic Means and Their Application to Index Numbers", Annals of
  // Mathematical Statistics 11 (1940). 0 of a single search.
  double harmonic_deviation{0.0};
  double min{0.0};
  // Quartiles are between two values in proportion, as R's and NumPy's are.
  double first_quartile{0.0};
  double median{0.0};
  double third_quartile{0.0};
  double max{0.0};
};

// Of TEPS above 0. Throws InputError where there are none. Pure. Tested by
// tests/apps/graph500/teps_test.cpp.
[[nodiscard]] TepsStatistics teps_statistics(std::span<double const> teps);

}  // namespace makespan::graph500
