// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

namespace bindings {

// simulate_grid(): a grid on a machine that need not exist.
void bind_grid_simulation(nanobind::module_& module);

}  // namespace bindings
