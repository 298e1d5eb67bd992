// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

namespace bindings {

// Adds Machine, Measurement and ImageMeter: what `makespan machine` stands on.
void bind_machine(nanobind::module_& module);

}  // namespace bindings
