// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/graph500/teps.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "makespan/base/error.hpp"

namespace makespan::graph500 {

namespace {

double quantile(std::vector<double> const& sorted, double part) {
  double const place = part * static_cast<double>(sorted.size() - 1);
  auto const below = static_cast<std::size_t>(place);
  std::size_t const above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - std::floor(place));
}

}  // namespace

TepsStatistics teps_statistics(std::span<double const> teps) {
  std::vector<double> sorted(teps.begin(), teps.end());
  std::ranges::sort(sorted);
  if (sorted.empty() || !(sorted.front() > 0.0)) {
    throw InputError("statistics of searches", "one has traversed no edge, or there are none",
                     "give TEPS above 0 of one at least");
  }
  auto const count = static_cast<double>(sorted.size());
  double reciprocals = 0.0;
  for (double const each : sorted) reciprocals += 1.0 / each;
  double const harmonic_mean = count / reciprocals;
  double squares = 0.0;
  for (double const each : sorted) squares += std::pow(1.0 / each - 1.0 / harmonic_mean, 2);
  return {.harmonic_mean = harmonic_mean,
          .harmonic_deviation = sorted.size() < 2 ? 0.0
                                                  : harmonic_mean * harmonic_mean *
                                                        std::sqrt(squares) / (count - 1.0),
          .min = sorted.front(),
          .first_quartile = quantile(sorted, 0.25),
          .median = quantile(sorted, 0.5),
          .third_quartile = quantile(sorted, 0.75),
          .max = sorted.back()};
}

}  // namespace makespan::graph500
