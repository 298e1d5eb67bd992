// SPDX-License-Identifier: Apache-2.0
#pragma once

// The array before the first step, point by point: every place that makes a block gets the same
// bits.

#include <cstdint>
#include <span>
#include <vector>

#include "makespan/apps/stencil4d/settings.hpp"

namespace makespan::stencil4d {

// Tested by tests/apps/stencil4d/initial_values_test.cpp.
class InitialValues {
 public:
  explicit InitialValues(Settings const& settings);

  // At a point of the array, coordinates 0 to points - 1.
  [[nodiscard]] double at(Point const& point) const;
  // Block `index` with its layer around, which stays 0 (halo.hpp).
  [[nodiscard]] std::vector<double> block(int index) const;

 private:
  Settings settings_;
  std::vector<double> cosines_;  // of whole parts of a wave
};

}  // namespace makespan::stencil4d
