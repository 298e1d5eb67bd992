// SPDX-License-Identifier: Apache-2.0
#pragma once

// Boxes of a field's points, out of a GPU's slabs and into them.

#include "makespan/cuda/stream.hpp"
#include "makespan/grid/cut/box.hpp"
#include "makespan/grid/field/field_view.hpp"

namespace makespan::grid {

// Both begin in the stream and return; `to` and `from` are memory that the GPU reaches, for the
// box's points by z, then y, then x. Throw cuda::CudaFailed.
void launch_pack(FieldView const& view, Box const& box, double* to, cuda::Stream const& stream);
void launch_unpack(double const* from, FieldView const& view, Box const& box,
                   cuda::Stream const& stream);

}  // namespace makespan::grid
