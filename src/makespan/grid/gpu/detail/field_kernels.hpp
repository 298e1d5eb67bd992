// SPDX-License-Identifier: Apache-2.0
#pragma once

// Boxes of a field's points, out of a GPU's slabs, into them and from one to another; and what is
// told of all points of a slab.

#include <cstdint>

#include "makespan/cuda/stream.hpp"
#include "makespan/grid/cut/box.hpp"
#include "makespan/grid/field/field_summary.hpp"
#include "makespan/grid/field/field_view.hpp"

namespace makespan::grid {

// Both begin in the stream and return; `to` and `from` are memory that the GPU reaches, for the
// box's points by z, then y, then x. Throw cuda::CudaFailed.
void launch_pack(FieldView const& view, Box const& box, double* to, cuda::Stream const& stream);
void launch_unpack(double const* from, FieldView const& view, Box const& box,
                   cuda::Stream const& stream);
// From one slab's memory to another's, of the box's points.
void launch_copy(FieldView const& from, FieldView const& to, Box const& box,
                 cuda::Stream const& stream);

// Adds to `sums`, of the GPU, two for each plane of the view's box: the digest of the plane's
// points, by their places in `domain` (add_digests()).
void launch_digests(FieldView const& view, Box const& domain, std::uint64_t* sums,
                    cuda::Stream const& stream);
// Makes `*place`, of the GPU, the place of the first value that is not finite, along x, then y,
// then z of the view's box, where that is less.
void launch_find_bad(FieldView const& view, std::uint64_t* place, cuda::Stream const& stream);

// Both add to what lies on the GPU: the range, and the sum, of all points of the view's box.
void launch_range(FieldView const& view, ValueRange* range, cuda::Stream const& stream);
void launch_sum(FieldView const& view, int scale, FixedSum* sum, cuda::Stream const& stream);

}  // namespace makespan::grid
