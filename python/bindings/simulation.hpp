// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

namespace bindings {

// simulate_bag(): a bag on a machine that need not exist.
void bind_simulation(nanobind::module_& module);

}  // namespace bindings
