// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/cut/detail/box_cut.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>

#include "makespan/base/error.hpp"

namespace makespan::grid {

namespace {

using Weights = std::span<double const>;

double sum_of(Weights weights) {
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

// How many of the first weights are most like half of all; at least one is left on each side.
std::size_t half_of(Weights weights) {
  double const half = 0.5 * sum_of(weights);
  double before = 0.0;
  for (std::size_t count = 1; count < weights.size(); ++count) {
    double const with = before + weights[count - 1];
    if (with >= half) {
      bool const is_nearer = with - half <= half - before;
      return is_nearer ? count : std::max<std::size_t>(1, count - 1);
    }
    before = with;
  }
  return weights.size() - 1;
}

std::int64_t Point::* longest_axis(Box const& box) {
  constexpr std::array axes{&Point::z, &Point::y, &Point::x};
  Point const size = box.extent();
  return *std::ranges::max_element(axes, {}, [&](auto axis) { return size.*axis; });
}

// Layers for the first side, by weight; both sides get one if both have a weight.
std::int64_t layers_of(std::int64_t layers, double weight, double weight_other) {
  if (weight <= 0.0) return 0;
  if (weight_other <= 0.0) return layers;
  double const share = static_cast<double>(layers) * weight / (weight + weight_other);
  if (layers < 2) return std::llround(share);
  return std::clamp<std::int64_t>(std::llround(share), 1, layers - 1);
}

// As many layers across z as come nearest to the share of what all cost.
std::int64_t dear_layers_of(Box const& box, double weight, double weight_other,
                            PlaneWeights const& planes) {
  std::int64_t const layers = box.extent().z;
  if (weight <= 0.0 || weight_other <= 0.0 || layers < 2) {
    return layers_of(layers, weight, weight_other);
  }
  double const share = planes.between(box.begin.z, box.end.z) * weight / (weight + weight_other);
  std::int64_t const end = planes.end_within(box.begin.z, box.end.z, share);
  double const below = share - planes.between(box.begin.z, end);
  double const above = planes.between(box.begin.z, end + 1) - share;
  std::int64_t const count = end - box.begin.z + (above < below ? 1 : 0);
  return std::clamp<std::int64_t>(count, 1, layers - 1);
}

void cut(Box const& box, Weights weights, PlaneWeights const& planes, std::span<Box> boxes) {
  if (weights.size() == 1) {
    boxes.front() = box;
    return;
  }
  std::size_t const first = half_of(weights);
  auto const axis = longest_axis(box);
  double const here = sum_of(weights.first(first));
  double const there = sum_of(weights.subspan(first));
  bool const are_dear = axis == &Point::z && !planes.are_alike();
  std::int64_t const layers = are_dear ? dear_layers_of(box, here, there, planes)
                                       : layers_of(box.extent().*axis, here, there);
  Box left = box;
  Box right = box;
  left.end.*axis = right.begin.*axis = box.begin.*axis + layers;
  cut(left, weights.first(first), planes, boxes.first(first));
  cut(right, weights.subspan(first), planes, boxes.subspan(first));
}

}  // namespace

std::vector<Box> boxes_by_weight(Box const& domain, Weights weights, PlaneWeights const& planes) {
  for (std::size_t at = 0; at < weights.size(); ++at) {
    if (weights[at] >= 0.0 && std::isfinite(weights[at])) continue;
    throw InputError("weight " + std::to_string(at) + " = " + std::to_string(weights[at]),
                     "a weight is at least 0 and finite", "give the speed of the node");
  }
  if (!(sum_of(weights) > 0.0)) {
    throw InputError(std::to_string(weights.size()) + " weights with a sum of 0",
                     "at least one node must hold the grid", "give one node at least a weight");
  }
  std::vector<Box> boxes(weights.size());
  cut(domain, weights, planes, boxes);
  return boxes;
}

}  // namespace makespan::grid
