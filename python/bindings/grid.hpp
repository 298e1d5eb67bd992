// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

namespace bindings {

// Adds GridTeam, and what is known of a calcium unit before it runs: what `makespan calcium` and
// `makespan diffuse` stand on.
void bind_grid(nanobind::module_& module);

}  // namespace bindings
