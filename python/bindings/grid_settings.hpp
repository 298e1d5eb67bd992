// SPDX-License-Identifier: Apache-2.0
// What Python says of grids, as dicts; those of unknown names throw InputError.
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <cstdint>

#include "makespan/apps/calcium/model/calcium_model.hpp"
#include "makespan/apps/diffusion/model/diffusion_model.hpp"
#include "makespan/grid/cut/box.hpp"
#include "makespan/grid/team/grid_team.hpp"

namespace bindings {

// x, y, z.
using Triple = std::array<std::int64_t, 3>;

[[nodiscard]] inline makespan::grid::Point point_from(Triple const& at) {
  return {at[0], at[1], at[2]};
}
[[nodiscard]] inline makespan::grid::Box box_from(Triple const& begin, Triple const& end) {
  return {point_from(begin), point_from(end)};
}

[[nodiscard]] makespan::grid::TeamOptions options_from(nanobind::dict const& given);
[[nodiscard]] makespan::diffusion::DiffusionSettings diffusion_from(nanobind::dict const& given);
[[nodiscard]] makespan::calcium::CalciumModelSettings calcium_from(nanobind::dict const& given);

}  // namespace bindings
