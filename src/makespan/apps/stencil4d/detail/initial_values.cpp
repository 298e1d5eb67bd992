// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/stencil4d/detail/initial_values.hpp"

#include <cmath>
#include <numbers>

#include "makespan/apps/stencil4d/detail/halo.hpp"
#include "makespan/base/random_draws.hpp"

namespace makespan::stencil4d {

namespace {

constexpr double constant_value = 255.0;

}  // namespace

InitialValues::InitialValues(Settings const& settings) : settings_(settings) {
  cosines_.reserve(static_cast<std::size_t>(settings.points));
  for (int part = 0; part < settings.points; ++part) {
    cosines_.push_back(std::cos(2.0 * std::numbers::pi * part / settings.points));
  }
}

double InitialValues::at(Point const& point) const {
  if (settings_.initial == Initial::constant) return constant_value;
  if (settings_.initial == Initial::random) {
    std::int64_t number = 0;
    for (int const coordinate : point) number = number * settings_.points + coordinate;
    // Another stream than that of the work.
    return RandomDraws(~settings_.seed).at(number);
  }
  // In whole numbers, so that all points of one phase have one value.
  std::int64_t parts = 0;
  for (std::size_t axis = 0; axis < 4; ++axis) {
    parts += std::int64_t{settings_.mode[axis]} * point[axis];
  }
  return cosines_[static_cast<std::size_t>(parts % settings_.points)];
}

std::vector<double> InitialValues::block(int index) const {
  int const side = settings_.side;
  std::vector<double> halo(static_cast<std::size_t>(halo_points(side)));
  Point const corner = coordinates_of(index, settings_.grid());
  std::int64_t row_number = 0;
  for_each_row(std::span(halo), side, [&](std::span<double> row) {
    Point within = coordinates_of(static_cast<int>(row_number++ * side), side);
    for (double& value : row) {
      Point point{};
      for (std::size_t axis = 0; axis < 4; ++axis) {
        point[axis] = corner[axis] * side + within[axis];
      }
      value = at(point);
      ++within[3];
    }
  });
  return halo;
}

}  // namespace makespan::stencil4d
