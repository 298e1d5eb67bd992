// SPDX-License-Identifier: Apache-2.0
// A step of two columns of points side by side, one point above the other, as a thread of a GPU
// makes it: what was loaded of a plane serves the planes on both sides of it. Points that
// neighbours along x and y share come from the GPU's caches, two in a load: one in a load is an
// eighth slower on an H200 (docs/explanation/gpus.md).

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

// Two neighbours along x, of which the first has an even place in its row: loaded and stored as
// one.
struct alignas(2 * sizeof(double)) Pair {
  double low;
  double high;
};
MAKESPAN_BODY Pair const& PairAt(double const* place) {
  return *reinterpret_cast<Pair const*>(place);
}

// What two points see beside them.
struct PairSides {
  double x_low;
  double x_high;
  Pair y_low;
  Pair y_high;
  Pair above;
};
MAKESPAN_BODY PairSides SidesAt(ColumnJob const& job, double const* point) {
  return {point[-1], point[2], PairAt(point - job.row_pitch), PairAt(point + job.row_pitch),
          PairAt(point + job.plane_pitch)};
}

// Planes that are loaded before the first of them is computed: what is under way meanwhile covers
// the memory's latency.
inline constexpr int planes_at_once = 2;

// Points x and x + 1 from z_begin up to, but not at, z_end, whose neighbours are all stored.
MAKESPAN_BODY void ComputePairs(ColumnJob const& job, std::int64_t x, std::int64_t y,
                                std::int64_t z_begin, std::int64_t z_end) {
  if (z_begin >= z_end) return;
  FactorVectors const factors = VectorsOf(job.factors);
  std::int64_t const at = z_begin * job.plane_pitch + y * job.row_pitch + x;
  double const* point = job.now + at;
  double* out = job.next + at;
  Pair below = PairAt(point - job.plane_pitch);
  Pair here = PairAt(point);
  auto const step = [&](PairSides const& sides) {
    double const low = Diffused(here.low, hn::Add(sides.x_low, here.high),
                                hn::Add(sides.y_low.low, sides.y_high.low),
                                hn::Add(below.low, sides.above.low), factors);
    double const high = Diffused(here.high, hn::Add(here.low, sides.x_high),
                                 hn::Add(sides.y_low.high, sides.y_high.high),
                                 hn::Add(below.high, sides.above.high), factors);
    *reinterpret_cast<Pair*>(out) = {low, high};
    below = here;
    here = sides.above;
    out += job.plane_pitch;
  };
  std::int64_t z = z_begin;
  for (; z + planes_at_once <= z_end; z += planes_at_once) {
    PairSides sides[planes_at_once];
    MAKESPAN_UNROLL
    for (int i = 0; i < planes_at_once; ++i) sides[i] = SidesAt(job, point + i * job.plane_pitch);
    MAKESPAN_UNROLL
    for (int i = 0; i < planes_at_once; ++i) step(sides[i]);
    point += planes_at_once * job.plane_pitch;
  }
  for (; z < z_end; ++z) {
    step(SidesAt(job, point));
    point += job.plane_pitch;
  }
}

// Points x and x + 1 of these planes, x being even, as far as they are in the job's box.
MAKESPAN_BODY void ComputeColumns(ColumnJob const& job, std::int64_t x, std::int64_t y,
                                  std::int64_t z_begin, std::int64_t z_end) {
  using grid::Beyond;
  using grid::Face;
  auto const is_stored = [&](Face face, std::int64_t at) {
    return job.ends.beside(face, at) == Beyond::stored;
  };
  bool const are_both = x >= job.box.begin.x && x + 1 < job.box.end.x;
  bool const are_inside = are_both && is_stored(Face::x_low, x) && is_stored(Face::x_high, x + 1) &&
                          is_stored(Face::y_low, y) && is_stored(Face::y_high, y);
  // Of a column that goes by pairs the planes at the ends do not, where there is a rule.
  std::int64_t pairs_begin = z_begin;
  std::int64_t pairs_end = z_begin;
  if (are_inside) {
    pairs_begin = is_stored(Face::z_low, z_begin) ? z_begin : z_begin + 1;
    pairs_end = is_stored(Face::z_high, z_end - 1) ? z_end : z_end - 1;
    if (pairs_end < pairs_begin) pairs_end = pairs_begin;
    ComputePairs(job, x, y, pairs_begin, pairs_end);
  }
  for (std::int64_t i = x; i < x + 2; ++i) {
    if (i < job.box.begin.x || i >= job.box.end.x) continue;
    if (z_begin < pairs_begin) ComputeColumn(job, i, y, z_begin, pairs_begin);
    if (pairs_end < z_end) ComputeColumn(job, i, y, pairs_end, z_end);
  }
}

}  // namespace makespan::diffusion::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_DIFFUSION_COLUMN_INL_HPP
