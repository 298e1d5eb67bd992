// SPDX-License-Identifier: Apache-2.0
#pragma once

// The problems that grids are compared with their peers on, as programs of points. The peers state
// them again, each in its own way; sums over all points after some steps say that they are the
// same.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "makespan/apps/calcium/settings.hpp"
#include "makespan/grid/field/field_view.hpp"
#include "makespan/grid/program/point_program.hpp"

namespace makespan::bench {

struct GridBenchProblem {
  std::string name;
  // As a user's update in Python is traced to (field.laplacian()): without fused operations.
  grid::PointProgram program;
  // With the operations of the kernel that was written by hand; no fields where there is none.
  grid::PointProgram as_by_hand;
  double bytes{};                            // that a step reads and writes of a point at least
  grid::Beyond beyond{grid::Beyond::value};  // all ends; values are 0
  std::function<double(int field, grid::Point at)> first{};
};

// u' = u + 0.1 (sum of six - 6 u).
[[nodiscard]] GridBenchProblem diffusion_problem();
// u'' = 2 u' - u + 0.1 ∇²u' with derivatives of order 8; the step before is a field of its own, so
// that a step reads and writes two.
[[nodiscard]] GridBenchProblem wave_problem();
// u' = u + 0.16 ∇²u - u v² + 0.035 (1 - u), v' = v + 0.08 ∇²v + u v² - (0.035 + 0.065) v.
[[nodiscard]] GridBenchProblem gray_scott_problem();
// Calcium and four buffers in cytosol everywhere, with the operations of apps/calcium one by
// one: both programs are the same.
[[nodiscard]] GridBenchProblem calcium_problem(calcium::CalciumSettings const& settings);
// Cytosol everywhere, without channels; cubes of 5 nm.
[[nodiscard]] calcium::CalciumSettings plain_calcium(grid::Point points);

// By name: diffusion, wave, gray_scott, calcium. Throws InputError for others.
[[nodiscard]] GridBenchProblem problem_named(std::string_view name, grid::Point points);

// (7 x + 13 y + 29 z) mod 64, in 64ths: what first values are made of.
[[nodiscard]] double hashed(grid::Point at);
// Of a point in sums: 1 + (3 x + 5 y + 11 z) mod 17, so that points that changed places are seen.
[[nodiscard]] double weight(grid::Point at);
// The fields' sum, each point times its weight. Views are of the whole grid.
[[nodiscard]] double weighted_sum(std::span<grid::FieldView const> views);

}  // namespace makespan::bench
