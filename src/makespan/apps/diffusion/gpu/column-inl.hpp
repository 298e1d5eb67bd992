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

#include "makespan/apps/diffusion/gpu/column_job.hpp"
#include "makespan/apps/diffusion/point-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::diffusion::MAKESPAN_TARGET {

// What is on one side of a point whose value is `here`: `there`, but at an end with a rule.
MAKESPAN_BODY double Beside(ColumnJob const& job, grid::Face face, bool is_last, double here,
                            double const* there) {
  int const at = static_cast<int>(face);
  if (!is_last || job.beyond[at] == grid::Beyond::stored) return *there;
  return job.beyond[at] == grid::Beyond::mirror ? here : job.values[at];
}

// Points (x, y, z_begin) … (x, y, z_end - 1) of the view.
MAKESPAN_BODY void ComputeColumn(ColumnJob const& job, std::int64_t x, std::int64_t y,
                                 std::int64_t z_begin, std::int64_t z_end) {
  FactorVectors const factors = VectorsOf(job.factors);
  std::int64_t const at = z_begin * job.plane_pitch + y * job.row_pitch + x;
  double const* point = job.now + at;
  double* out = job.next + at;
  double here = *point;
  double below =
      Beside(job, grid::Face::z_low, z_begin == 0, here, point - job.plane_pitch);
  bool const is_first_x = x == 0;
  bool const is_last_x = x == job.extent_x - 1;
  bool const is_first_y = y == 0;
  bool const is_last_y = y == job.extent_y - 1;
  for (std::int64_t z = z_begin; z < z_end; ++z) {
    double const above = Beside(job, grid::Face::z_high, z == job.extent_z - 1, here,
                                point + job.plane_pitch);
    double const sum_x =
        hn::Add(Beside(job, grid::Face::x_low, is_first_x, here, point - 1),
                Beside(job, grid::Face::x_high, is_last_x, here, point + 1));
    double const sum_y =
        hn::Add(Beside(job, grid::Face::y_low, is_first_y, here, point - job.row_pitch),
                Beside(job, grid::Face::y_high, is_last_y, here, point + job.row_pitch));
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
