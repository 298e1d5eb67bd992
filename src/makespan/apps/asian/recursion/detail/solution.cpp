// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/recursion/detail/solution.hpp"

#include <cmath>
#include <cstddef>

#include "makespan/apps/asian/recursion/detail/lagrange_coefficients.hpp"
#include "makespan/simd/portable_math.hpp"

namespace makespan::asian::recursion {

namespace {

constexpr int count = interpolation_points;
// Nodes at or below the point, but for the nearest; and above it.
constexpr int below = count / 2 - 1;
constexpr int above = count / 2;

// Of a call that is certain to be exercised.
Quantities line_at(Solution const& solution, double strike) {
  Quantities values{};
  values[call_value] = solution.sum.forward - strike;
  values[slope] = -strike;
  if (!solution.values[by_drift].empty()) values[by_drift] = solution.sum.by_drift;
  if (!solution.values[by_last_weight].empty()) {
    values[by_last_weight] = solution.sum.by_last_weight;
  }
  return values;
}

std::array<double, count> weights_at(double t) {
  std::array<double, count> weight{};
  // Products of the distances to all other nodes, from behind and from the front: no divisions by a
  // distance, which is 0 on a node.
  double after = 1;
  for (int j = count - 1; j >= 0; --j) {
    weight[static_cast<std::size_t>(j)] = after * lagrange_scale[j];
    after *= t - (j - below);
  }
  double before = 1;
  for (int j = 0; j < count; ++j) {
    weight[static_cast<std::size_t>(j)] *= before;
    before *= t - (j - below);
  }
  return weight;
}

}  // namespace

Quantities quantities_at(Solution const& solution, double strike) {
  constexpr double strike_min = 1e-300;
  if (strike < strike_min) return line_at(solution, strike);
  double const at = (simd::portable_log(strike) - solution.first) * solution.per_unit;
  // Six nodes on either side are needed; margin_nodes lie beyond the range that matters.
  if (at < below) return line_at(solution, strike);
  if (at > solution.nodes - 1 - above) return {};
  double const node = std::floor(at);
  std::array<double, count> const weight = weights_at(at - node);
  std::size_t const first = static_cast<std::size_t>(node) - below;
  Quantities values{};
  for (std::size_t k = 0; k < quantity_count; ++k) {
    if (solution.values[k].empty()) continue;
    for (std::size_t j = 0; j < count; ++j) values[k] += weight[j] * solution.values[k][first + j];
  }
  return values;
}

}  // namespace makespan::asian::recursion
