// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

namespace bindings {

// Adds MeltTeam, and what is known of a melt before it runs: what `makespan melt` stands on.
void bind_melt(nanobind::module_& module);

}  // namespace bindings
