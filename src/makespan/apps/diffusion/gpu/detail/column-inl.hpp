// SPDX-License-Identifier: Apache-2.0
// A step of a column of points, one above the other, as a thread of a GPU makes it: what was loaded
// of a plane serves the planes on both sides of it. Points that neighbours along x and y share come
// from the GPU's caches.

#if defined(MAKESPAN_DIFFUSION_COLUMN_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_DIFFUSION_COLUMN_INL_HPP
#undef MAKESPAN_DIFFUSION_COLUMN_INL_HPP
#else
#define MAKESPAN_DIFFUSION_COLUMN_INL_HPP
#endif

#include "makespan/apps/diffusion/gpu/detail/column_job.hpp"
#include "makespan/apps/diffusion/point-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::diffusion::MAKESPAN_TARGET {

// What a point that is `at` along the face's axis, and `here`, sees on that side.
MAKESPAN_BODY double Beside(ColumnJob const& job, grid::Face face, std::int64_t at, double here,
                            double const* there) {
  return grid::seen(job.ends.beside(face, at), *there, here, job.values[static_cast<int>(face)]);
}

// Points (x, y, z_begin) … (x, y, z_end - 1) of the slab.
MAKESPAN_BODY void ComputeColumn(ColumnJob const& job, std::int64_t x, std::int64_t y,
                                 std::int64_t z_begin, std::int64_t z_end) {
  using grid::Face;
  FactorVectors const factors = VectorsOf(job.factors);
  std::int64_t const at = z_begin * job.plane_pitch + y * job.row_pitch + x;
  double const* point = job.now + at;
  double* out = job.next + at;
  double here = *point;
  double below = Beside(job, Face::z_low, z_begin, here, point - job.plane_pitch);
  for (std::int64_t z = z_begin; z < z_end; ++z) {
    double const above = Beside(job, Face::z_high, z, here, point + job.plane_pitch);
    double const sum_x = hn::Add(Beside(job, Face::x_low, x, here, point - 1),
                                 Beside(job, Face::x_high, x, here, point + 1));
    double const sum_y = hn::Add(Beside(job, Face::y_low, y, here, point - job.row_pitch),
                                 Beside(job, Face::y_high, y, here, point + job.row_pitch));
    *out = Diffused(here, sum_x, sum_y, hn::Add(below, above), factors);
    below = here;
    here = above;
    point += job.plane_pitch;
    out += job.plane_pitch;
  }
}

}  // namespace makespan::diffusion::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_DIFFUSION_COLUMN_INL_HPP
