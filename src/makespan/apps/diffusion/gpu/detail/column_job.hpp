// SPDX-License-Identifier: Apache-2.0
#pragma once

// What threads of a GPU are told of a step.

#include <cstdint>

#include "makespan/apps/diffusion/kernels.hpp"
#include "makespan/grid/cut/box.hpp"
#include "makespan/grid/cut/faces.hpp"
#include "makespan/grid/field/slab_ends.hpp"
#include "makespan/grid/field/stencil.hpp"

namespace makespan::diffusion {

// Plain data. Points are counted from the view's first one.
struct ColumnJob {
  double const* now;  // the first point
  double* next;
  std::int64_t row_pitch;
  std::int64_t plane_pitch;
  grid::SlabEnds ends;
  double values[grid::face_count];  // of faces that are `value`
  Factors factors;
  grid::Box box;  // to compute
};

[[nodiscard]] inline ColumnJob column_job_of(grid::Sweep const& sweep, Factors const& factors) {
  grid::FieldView const& now = sweep.now[0];
  ColumnJob job{.now = now.first,
                .next = sweep.next[0].first,
                .row_pitch = now.row_pitch,
                .plane_pitch = now.plane_pitch,
                .ends = grid::ends_of(now),
                .values = {},
                .factors = factors,
                .box = grid::moved(sweep.box, grid::Point{} - now.box.begin)};
  for (int face = 0; face < grid::face_count; ++face) {
    job.values[face] = now.values[static_cast<std::size_t>(face)];
  }
  return job;
}

}  // namespace makespan::diffusion
