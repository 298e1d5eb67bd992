// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is computed of a calcium release unit, and how finely.
//
// A step is forward Euler: diffusion, then sources, then what SR gains by refilling, then pumps,
// then reaction, each from what the one before it left (Lie splitting, of first order).

#include <cstdint>
#include <vector>

#include "makespan/apps/calcium/geometry.hpp"
#include "makespan/apps/calcium/sources.hpp"
#include "makespan/apps/calcium/species.hpp"

namespace makespan::calcium {

enum class ChannelKind : std::uint8_t { ryr, lcc };

// A channel that is open for a time, from the run's beginning [ms].
struct Opening {
  ChannelKind kind{};
  int channel{};  // from 0; ryr_channels(), lcc_channels()
  double open_ms{};
  double close_ms{};
};

// A current of calcium into a voxel for a time.
struct PointCurrent {
  grid::Point voxel{};
  double current_pa{};
  double open_ms{};
  double close_ms{};
};

struct CalciumSettings {
  Voxels voxels{.points = {400, 200, 200}, .spacing = 0.005};
  double time_step = 1.5e-5;  // [ms]
  Species species{};
  Pumps pumps{};
  Geometry geometry{};
  // The middle one of 7 x 7, for 10 ms: Walker et al.'s spark.
  std::vector<Opening> openings{{ChannelKind::ryr, 24, 0, 10}};
  std::vector<PointCurrent> currents{};
  // Of an open RyR: what goes through it is this times the difference of the concentrations before
  // and behind it [µm³/ms]. Walker et al.: 3e-8/ms of a cell of 25840 µm³, 0.15 pA at 1 mM.
  double ryr_conductance = 7.752e-4;
  double lcc_current_pa = 0.1;  // of an open LCC; ours
};

// What 1 pA of calcium, two charges an ion, brings [µM µm³/ms]: 1e-12 / (2 · 96485.33212) mol/s.
inline constexpr double amount_per_pa = 1e6 / (2 * 96485.33212);

// What SERCA takes where there is some, and what comes in through a voxel's face of the T-tubule's
// membrane [µM µm/ms], scaled so that all its faces have the area of the cylinder; 0 of what is not
// switched on. Throws InputError for a rest that no leak makes one.
[[nodiscard]] Uptake uptake_in(CalciumSettings const& settings);
[[nodiscard]] MembraneFlux flux_through(CalciumSettings const& settings);

// All sources, step by step.
[[nodiscard]] std::vector<Source> sources_of(CalciumSettings const& settings);

// Throws InputError for the first setting that cannot be worked with; of a time step that is too
// long it names the limit: that of diffusion, Δt (6 D/h² + P/h) <= 1 with the permeability P of a
// voxel's open channels, that of pumps, or that of reaction. Below these no concentration falls
// under 0, and no buffer binds more than there is of it. Tested by
// tests/apps/calcium/settings_test.cpp.
void check(CalciumSettings const& settings);

}  // namespace makespan::calcium
