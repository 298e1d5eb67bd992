// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether a grid can be what it is asked to be.

#include <cstddef>
#include <cstdint>
#include <span>

#include "makespan/base/quantity.hpp"
#include "makespan/grid/grid_options.hpp"

namespace makespan::grid {

// Throws InputError that names what is wrong and what would be right. `threads` of the runtime.
// Tested by tests/grid/grid_checks_test.cpp.
void check_grid(GridProblem const& problem, GridOptions const& options,
                std::span<GridDevice const> devices, int threads);

// Throws InputError unless the fields, without halos, fit into so many bytes.
void check_memory(GridProblem const& problem, StencilShape const& shape, double bytes);

// Throws InputError unless the domain holds all of the box.
void check_box(Box const& domain, Box const& box);

// Throws InputError unless there is such a field.
void check_field(int field, std::size_t fields);

// Of what must be the same on all images.
[[nodiscard]] std::uint64_t fingerprint_of(GridProblem const& problem, GridOptions const& options,
                                           StencilShape const& shape);

}  // namespace makespan::grid
