// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the threads of a GPU do, one after the other on the host.

#include "makespan/apps/diffusion/diffusion.hpp"
#include "makespan/grid/field/stencil.hpp"

namespace makespan::diffusion {

// Columns of at most `planes_each`.
void compute_columns(grid::Sweep const& sweep, Factors const& factors, std::int64_t planes_each);

}  // namespace makespan::diffusion
