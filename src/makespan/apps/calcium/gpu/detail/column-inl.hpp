// SPDX-License-Identifier: Apache-2.0
// A step of a column of points, one above the other, as a thread of a GPU makes it: what was loaded
// of a plane serves the planes on both sides of it. Points that neighbours along x and y share come
// from the GPU's caches.

#if defined(MAKESPAN_CALCIUM_COLUMN_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_CALCIUM_COLUMN_INL_HPP
#undef MAKESPAN_CALCIUM_COLUMN_INL_HPP
#else
#define MAKESPAN_CALCIUM_COLUMN_INL_HPP
#endif

#include "makespan/apps/calcium/gpu/detail/column_job.hpp"
#include "makespan/apps/calcium/pump-inl.hpp"
#include "makespan/apps/calcium/react-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::calcium::MAKESPAN_TARGET {

// Of a single point.
struct PointReaction {
  PieceReaction piece;
  double gain;  // by sources
};
MAKESPAN_BODY PieceReaction const& At(PointReaction const& point, std::int64_t) {
  return point.piece;
}
MAKESPAN_BODY Doubles WithGain(PointReaction const& point, std::int64_t, Doubles ca) {
  return hn::Add(ca, point.gain);
}

template <bool pumped>
MAKESPAN_BODY auto PumpingOf(Factors const& factors, PointCode code) {
  if constexpr (pumped) {
    return VectorsOf(factors.pumpings[code.region()], factors.membrane, code.membrane_faces());
  } else {
    return NoPumping{};
  }
}

// A point of a column: where it is in the slab, and in memory from its first point on.
struct ColumnPoint {
  std::int64_t x;
  std::int64_t y;
  std::int64_t z;
  std::int64_t offset;
};

// What a point of a field sees on one side.
MAKESPAN_BODY double Beside(ColumnJob const& job, SpreadField const& field, grid::Face face,
                            ColumnPoint const& at, double here) {
  int const number = static_cast<int>(face);
  std::int64_t const along = number / 2 == 0 ? at.x : number / 2 == 1 ? at.y : at.z;
  std::int64_t const pitch = number / 2 == 0   ? 1
                             : number / 2 == 1 ? job.row_pitch
                                               : job.plane_pitch;
  double const there = field.now[at.offset + (number % 2 == 0 ? -pitch : pitch)];
  return grid::seen(job.ends.beside(face, along), there, here, field.values[number]);
}

// What sources add to a point of calcium.
MAKESPAN_BODY double GainOf(ColumnJob const& job, ColumnPoint const& at, double here) {
  double gain = 0;
  for (int i = 0; i < job.tables.source_count; ++i) {
    Source const& source = job.tables.sources[i];
    bool const is_here = source.voxel.x == job.first.x + at.x &&
                         source.voxel.y == job.first.y + at.y &&
                         source.voxel.z == job.first.z + at.z;
    if (!is_here || job.step < source.step_begin || job.step >= source.step_end) continue;
    double beyond = here;
    if (source.exchange != 0) beyond = Beside(job, job.fields[0], source.face, at, here);
    gain += source.exchange * (beyond - here) + source.amount;
  }
  return gain;
}

// The neighbours along z that a column knows already.
struct Levels {
  double below[mobile_count];
  double here[mobile_count];
};

template <bool pumped>
MAKESPAN_BODY void StepPoint(ColumnJob const& job, ColumnPoint const& at, PointCode code,
                             Levels& levels) {
  using grid::Face;
  Factors const& factors = *job.tables.factors;
  double left[mobile_count];
  double const ca = levels.here[0];
  MAKESPAN_UNROLL
  for (int f = 0; f < mobile_count; ++f) {
    SpreadField const& field = job.fields[f];
    double const here = levels.here[f];
    double const above = Beside(job, field, Face::z_high, at, here);
    auto const passed = [&](Face face) {
      return code.passes(face) ? Beside(job, field, face, at, here) : here;
    };
    FaceVectors const around{passed(Face::x_low),
                             passed(Face::x_high),
                             passed(Face::y_low),
                             passed(Face::y_high),
                             code.passes(Face::z_low) ? levels.below[f] : here,
                             code.passes(Face::z_high) ? above : here};
    left[f] = Diffused(here, around, factors.lambda[code.region()][f]);
    levels.below[f] = here;
    levels.here[f] = above;
  }
  PointReaction const reaction{VectorsOf(factors.reactions[code.region()]),
                               code.has_source() ? GainOf(job, at, ca) : 0};
  job.troponin[at.offset] =
      React(reaction, PumpingOf<pumped>(factors, code), 0, left, job.troponin[at.offset]);
  MAKESPAN_UNROLL
  for (int f = 0; f < mobile_count; ++f) job.fields[f].next[at.offset] = left[f];
}

// Points (x, y, z_begin) … (x, y, z_end - 1) of the slab, with pumps or without.
template <bool pumped>
MAKESPAN_BODY void ComputeColumn(ColumnJob const& job, std::int64_t x, std::int64_t y,
                                 std::int64_t z_begin, std::int64_t z_end) {
  ColumnPoint at{x, y, z_begin, z_begin * job.plane_pitch + y * job.row_pitch + x};
  std::int64_t const plane_points = job.ends.extent[0] * job.ends.extent[1];
  PointCode const* code = job.tables.codes + z_begin * plane_points + y * job.ends.extent[0] + x;
  Levels levels;
  MAKESPAN_UNROLL
  for (int f = 0; f < mobile_count; ++f) {
    SpreadField const& field = job.fields[f];
    levels.here[f] = field.now[at.offset];
    levels.below[f] = Beside(job, field, grid::Face::z_low, at, levels.here[f]);
  }
  for (; at.z < z_end; ++at.z) {
    StepPoint<pumped>(job, at, *code, levels);
    at.offset += job.plane_pitch;
    code += plane_points;
  }
}

}  // namespace makespan::calcium::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_CALCIUM_COLUMN_INL_HPP
