// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/stencil4d/settings.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include "makespan/base/error.hpp"
#include "makespan/base/random_draws.hpp"
#include "makespan/graph/object/phase_steps.hpp"

namespace makespan::stencil4d {

namespace {

constexpr int side_max = 128;  // 2 GiB a block
constexpr int grid_max = 64;   // 2^24 blocks

void check_sizes(Settings const& settings) {
  if (settings.side < 1 || settings.side > side_max) {
    throw InputError("side = " + std::to_string(settings.side),
                     "a block has 1 to " + std::to_string(side_max) + " points along an axis",
                     "the benchmark's is 32");
  }
  if (settings.points < settings.side || settings.points % settings.side != 0) {
    throw InputError("points = " + std::to_string(settings.points),
                     "blocks of " + std::to_string(settings.side) + " have to fill the array",
                     "give a multiple of it");
  }
  if (settings.grid() > grid_max) {
    throw InputError(std::to_string(settings.grid()) + " blocks along an axis",
                     "there are at most " + std::to_string(grid_max), "make larger blocks");
  }
}

}  // namespace

void check_settings(Settings const& settings) {
  check_sizes(settings);
  graph::check_steps(settings.steps, settings.steps_per_phase);
  if (settings.work_max < 1 || settings.work_max > 1'000'000) {
    throw InputError("work_max = " + std::to_string(settings.work_max),
                     "a step is done 1 to 10^6 times", "1 is for equal work, 5 the benchmark's");
  }
  for (int const m : settings.mode) {
    if (m >= 0 && m < settings.points) continue;
    throw InputError(
        "mode " + std::to_string(m),
        "there are as many along an axis as points: 0 to " + std::to_string(settings.points - 1),
        "0 is constant, 1 one wave");
  }
}

int work_of(Settings const& settings, int index) {
  double const drawn = RandomDraws(settings.seed).at(index);
  return 1 + static_cast<int>(drawn * settings.work_max);
}

Point coordinates_of(int index, int grid) {
  Point at{};
  for (int axis = 3; axis >= 0; --axis) {
    at[static_cast<std::size_t>(axis)] = index % grid;
    index /= grid;
  }
  return at;
}

int index_of(Point const& at, int grid) {
  int index = 0;
  for (int const coordinate : at) index = index * grid + coordinate;
  return index;
}

double decay(Settings const& settings) {
  if (settings.initial == Initial::constant) return 1.0;
  double sum = 0.0;
  for (int const m : settings.mode) {
    sum += std::cos(2.0 * std::numbers::pi * m / settings.points);
  }
  return (1.0 + 2.0 * sum) / 9.0;
}

}  // namespace makespan::stencil4d
