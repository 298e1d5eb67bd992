// SPDX-License-Identifier: Apache-2.0
#pragma once

// What threads of a GPU are told of a step.

#include <cstdint>

#include "makespan/apps/calcium/gpu/detail/point_codes.hpp"
#include "makespan/apps/calcium/kernels.hpp"
#include "makespan/apps/calcium/sources.hpp"
#include "makespan/grid/cut/box.hpp"
#include "makespan/grid/field/slab_ends.hpp"
#include "makespan/grid/field/stencil.hpp"

namespace makespan::calcium {

// One that spreads. Points are counted from the slab's first one.
struct SpreadField {
  double const* now;
  double* next;
  double values[grid::face_count];  // of faces that are `value`
};

// What a slab's points need besides their fields: where the device reaches it.
struct SlabTables {
  Factors const* factors;
  bool has_pumps;          // what the factors say, for the host
  PointCode const* codes;  // by point of the slab, along x first
  Source const* sources;   // that are in the slab
  int source_count;
};

// Plain data.
struct ColumnJob {
  SpreadField fields[mobile_count];
  double* troponin;
  std::int64_t row_pitch;
  std::int64_t plane_pitch;
  grid::SlabEnds ends;
  grid::Point first;  // of the slab, in the whole grid
  SlabTables tables;
  std::int64_t step;
  grid::Box box;  // to compute
};

[[nodiscard]] inline ColumnJob column_job_of(grid::Sweep const& sweep, SlabTables const& tables) {
  grid::FieldView const& view = sweep.now[0];
  ColumnJob job{.fields = {},
                .troponin = sweep.next[static_cast<std::size_t>(Field::ca_trpn)].first,
                .row_pitch = view.row_pitch,
                .plane_pitch = view.plane_pitch,
                .ends = grid::ends_of(view),
                .first = view.box.begin,
                .tables = tables,
                .step = sweep.step,
                .box = grid::moved(sweep.box, grid::Point{} - view.box.begin)};
  for (int f = 0; f < mobile_count; ++f) {
    auto const field = static_cast<std::size_t>(mobile_fields[static_cast<std::size_t>(f)]);
    SpreadField& spread = job.fields[f];
    spread.now = sweep.now[field].first;
    spread.next = sweep.next[field].first;
    for (int face = 0; face < grid::face_count; ++face) {
      spread.values[face] = sweep.now[field].values[static_cast<std::size_t>(face)];
    }
  }
  return job;
}

}  // namespace makespan::calcium
