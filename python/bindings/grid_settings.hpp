// SPDX-License-Identifier: Apache-2.0
// What Python says of grids, as dicts; those of unknown names throw InputError.
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <cstdint>

#include "makespan/apps/calcium/model/calcium_model.hpp"
#include "makespan/apps/diffusion/model/diffusion_model.hpp"
#include "makespan/apps/equations/equation_model.hpp"
#include "makespan/grid/cut/box.hpp"

namespace bindings {

namespace nb = nanobind;
namespace calcium = makespan::calcium;
namespace diffusion = makespan::diffusion;
namespace equations = makespan::equations;
namespace grid = makespan::grid;

// x, y, z.
using Triple = std::array<std::int64_t, 3>;

[[nodiscard]] inline grid::Point point_from(Triple const& at) {
  return {at[0], at[1], at[2]};
}
[[nodiscard]] inline grid::Box box_from(Triple const& begin, Triple const& end) {
  return {point_from(begin), point_from(end)};
}

[[nodiscard]] diffusion::DiffusionSettings diffusion_from(nb::dict const& given);
[[nodiscard]] equations::EquationSettings equations_from(nb::dict const& given);
[[nodiscard]] calcium::CalciumModelSettings calcium_from(nb::dict const& given);

}  // namespace bindings
