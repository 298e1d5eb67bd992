// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/cut/plane_weights.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>

#include "makespan/base/error.hpp"

namespace makespan::grid {

PlaneWeights::PlaneWeights(std::span<double const> weights, std::int64_t first) : first_{first} {
  if (weights.empty()) return;
  for (std::size_t plane = 0; plane < weights.size(); ++plane) {
    if (weights[plane] > 0 && std::isfinite(weights[plane])) continue;
    throw InputError(
        "plane_weights[" + std::to_string(plane) + "] = " + std::to_string(weights[plane]),
        "a weight is above 0 and finite", "give what a plane costs beside the others");
  }
  // In units of the mean, so that speeds in planes per second mean the same with any weights.
  double const mean =
      std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(weights.size());
  sums_.push_back(0);
  for (double const weight : weights) sums_.push_back(sums_.back() + weight / mean);
}

double PlaneWeights::sum_before(std::int64_t plane) const {
  std::int64_t const at = std::clamp<std::int64_t>(plane - first_, 0, std::ssize(sums_) - 1);
  return sums_[static_cast<std::size_t>(at)];
}

double PlaneWeights::between(std::int64_t begin, std::int64_t end) const {
  if (end <= begin) return 0;
  if (are_alike()) return static_cast<double>(end - begin);
  return sum_before(end) - sum_before(begin);
}

std::int64_t PlaneWeights::end_within(std::int64_t begin, std::int64_t last, double weight) const {
  // Less than 0 is what a device can do in a time shorter than its start (planes_by_weight()).
  if (!(weight >= 0)) return begin;
  // By bisection: all weights are above 0, so sums rise.
  std::int64_t low = begin;
  std::int64_t high = last;
  while (low < high) {
    std::int64_t const middle = low + (high - low + 1) / 2;
    if (between(begin, middle) <= weight) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

}  // namespace makespan::grid
