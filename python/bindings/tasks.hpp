// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

namespace bindings {

// Adds TaskTeam, TaskRun and ProcessHold: what makespan.map stands on.
void bind_tasks(nanobind::module_& module);

}  // namespace bindings
