// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

namespace bindings {

// Adds Graph, PlaceTable, Places, and what balances: what `makespan balance` stands on.
void bind_graph(nanobind::module_& module);

}  // namespace bindings
