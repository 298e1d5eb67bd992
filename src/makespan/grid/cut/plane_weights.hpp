// SPDX-License-Identifier: Apache-2.0
#pragma once

// What planes of a grid cost beside one another: for grids whose points are not all alike, where a
// cut by planes alone would give one device all the dear ones.

#include <cstdint>
#include <span>
#include <vector>

namespace makespan::grid {

// Tested by tests/grid/cut/plane_weights_test.cpp.
class PlaneWeights {
 public:
  // All planes cost the same: 1.
  PlaneWeights() = default;
  // A weight for each plane from `first` on, in any unit: what counts is how they compare. None:
  // all the same. Throws InputError for weights that are not above 0 and finite.
  explicit PlaneWeights(std::span<double const> weights, std::int64_t first = 0);

  [[nodiscard]] bool are_alike() const { return sums_.empty(); }
  // Of planes [begin, end) together, where all planes have 1 in the mean.
  [[nodiscard]] double between(std::int64_t begin, std::int64_t end) const;
  // The largest `end` up to `last` with which planes [begin, end) weigh no more than `weight`.
  [[nodiscard]] std::int64_t end_within(std::int64_t begin, std::int64_t last, double weight) const;

 private:
  [[nodiscard]] double sum_before(std::int64_t plane) const;

  std::int64_t first_{};
  std::vector<double> sums_{};  // of the planes before each, and of all
};

}  // namespace makespan::grid
