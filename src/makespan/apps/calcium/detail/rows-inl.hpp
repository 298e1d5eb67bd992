// SPDX-License-Identifier: Apache-2.0
// A row of a step. Each point's fields diffuse and react in registers, so that memory is read and
// written once.

#if defined(MAKESPAN_CALCIUM_ROWS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_CALCIUM_ROWS_INL_HPP
#undef MAKESPAN_CALCIUM_ROWS_INL_HPP
#else
#define MAKESPAN_CALCIUM_ROWS_INL_HPP
#endif

#include <algorithm>

#include "makespan/apps/calcium/detail/factors-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::calcium::MAKESPAN_TARGET {

enum class Pass : std::uint8_t { step, diffuse, react };

// The row as points see it that are the same all along a piece.
template <class PointFactors>
MAKESPAN_BODY RowJob JobSeen(RowJob const& given, PointFactors const& factors) {
  RowJob job = given;
  MAKESPAN_UNROLL
  for (int f = 0; f < mobile_count; ++f) job.fields[f] = RowSeen(factors, given.fields[f]);
  return job;
}

// To the row after this one.
MAKESPAN_BODY void MoveOn(RowJob& job) {
  MAKESPAN_UNROLL
  for (int f = 0; f < mobile_count; ++f) {
    SpreadRow& row = job.fields[f];
    row.here += job.pitch;
    row.y_low += job.pitch;
    row.y_high += job.pitch;
    row.z_low += job.pitch;
    row.z_high += job.pitch;
    row.ahead += job.pitch;
    row.out += job.pitch;
  }
  job.troponin += job.pitch;
  job.troponin_ahead += job.pitch;
}

// What follows diffusion, of all fields at points.end of a piece that begins at points.begin;
// `mobile` is what diffusion left.
template <Storing storing, class Reactions, class Pumpings>
MAKESPAN_BODY void FinishVectors(RowJob const& row, Reactions const& reactions,
                                 Pumpings const& pumpings, Points const& points,
                                 Doubles (&mobile)[mobile_count]) {
  hn::F64 const d;
  std::int64_t const x = points.end;
  hn::PrefetchFar(row.troponin_ahead + x);
  hn::PrefetchNear(row.troponin + x + near_points);
  Doubles const troponin =
      React(reactions, pumpings, x - points.begin, mobile, hn::Load(d, row.troponin + x));
  // Its line has just been read: it is in the cache already.
  Put<Storing::in_cache>(troponin, row.troponin + x);
  MAKESPAN_UNROLL
  for (int f = 0; f < mobile_count; ++f) Put<storing>(mobile[f], row.fields[f].out + x);
}

template <Storing storing, class PointFactors>
MAKESPAN_BODY void StepPiece(RowJob const& row, RowEnds const& ends, PointFactors const& factors,
                             Points const& points) {
  hn::F64 const d;
  auto const& reactions = ReactionOf(factors);
  auto const& pumpings = PumpingOf(factors);
  decltype(DiffusionOf(factors, 0)) diffusions[mobile_count];
  RowVectors at[mobile_count];
  MAKESPAN_UNROLL
  for (int f = 0; f < mobile_count; ++f) {
    diffusions[f] = DiffusionOf(factors, f);
    at[f] = BeginRow(row.fields[f], ends, points.begin);
  }
  std::int64_t const end = PlainEnd(ends, points);
  std::int64_t x = points.begin;
  Doubles left[mobile_count];
  for (; x < end; x += lanes) {
    MAKESPAN_UNROLL
    for (int f = 0; f < mobile_count; ++f) {
      at[f].after = hn::Load(d, row.fields[f].here + x + lanes);
      left[f] = DiffusedAt(row.fields[f], diffusions[f], x, x - points.begin, at[f]);
    }
    FinishVectors<storing>(row, reactions, pumpings, {points.begin, x}, left);
  }
  if (end == points.end) return;
  MAKESPAN_UNROLL
  for (int f = 0; f < mobile_count; ++f) {
    EndRow(row.fields[f], ends, x, at[f]);
    left[f] = DiffusedAt(row.fields[f], diffusions[f], x, x - points.begin, at[f]);
  }
  FinishVectors<storing>(row, reactions, pumpings, {points.begin, x}, left);
}

// The second of two passes, from and to what the first one left.
template <class PointFactors>
MAKESPAN_BODY void ReactPiece(RowJob const& row, PointFactors const& factors,
                              Points const& points) {
  hn::F64 const d;
  auto const& reactions = ReactionOf(factors);
  auto const& pumpings = PumpingOf(factors);
  for (std::int64_t x = points.begin; x < points.end; x += lanes) {
    Doubles left[mobile_count];
    MAKESPAN_UNROLL
    for (int f = 0; f < mobile_count; ++f) {
      hn::PrefetchNear(row.fields[f].out + x + near_points);
      left[f] = hn::Load(d, row.fields[f].out + x);
    }
    // What it writes has just been read.
    FinishVectors<Storing::in_cache>(row, reactions, pumpings, {points.begin, x}, left);
  }
}

// Up to the vector of the row's last point; a line may be several.
MAKESPAN_BODY Points WholeVectors(RowJob const& row, Points points) {
  std::int64_t const row_end = (row.extent + lanes - 1) / lanes * lanes;
  points.end = std::min(points.end, row_end);
  return points;
}

template <Pass pass, Storing storing, class PointFactors>
MAKESPAN_BODY void ComputePiece(RowJob const& given, PointFactors const& factors,
                                Points const& points) {
  RowEnds const ends{given.extent, given.low, given.high};
  Points const whole = WholeVectors(given, points);
  RowJob row = JobSeen(given, factors);
  for (std::int64_t k = 0; k < given.rows; ++k) {
    if constexpr (pass == Pass::step) {
      StepPiece<storing>(row, ends, factors, whole);
    } else if constexpr (pass == Pass::react) {
      ReactPiece(row, factors, whole);
    } else {
      for (int f = 0; f < mobile_count; ++f) {
        DiffusePiece<storing>(row.fields[f], ends, DiffusionOf(factors, f), whole);
      }
    }
    MoveOn(row);
  }
}

// A line of which only some points are asked for: troponin is not to be changed twice. The whole
// step of these, in memory of its own.
template <class Line>
inline void StepPartialLine(RowJob const& row, Line const& factors, std::int64_t line) {
  alignas(64) double fields[field_count][line_points] = {};
  Points const points{std::max(line, row.points.begin),
                      std::min(line + line_points, row.points.end)};
  RowJob apart = row;
  // Pointers to where x is 0, as those of all rows.
  for (int f = 0; f < mobile_count; ++f) apart.fields[f].out = fields[f] - line;
  apart.troponin = fields[mobile_count] - line;
  std::copy(row.troponin + points.begin, row.troponin + points.end, apart.troponin + points.begin);
  StepPiece<Storing::in_cache>(apart, {row.extent, row.low, row.high}, factors,
                               WholeVectors(row, {line, line + line_points}));
  for (std::int64_t x = points.begin; x < points.end; ++x) {
    for (int f = 0; f < mobile_count; ++f) row.fields[f].out[x] = fields[f][x - line];
    row.troponin[x] = fields[mobile_count][x - line];
  }
}

// Whether only some of its points are asked for. (The memory behind a row's last point does not
// belong to the field.)
inline bool IsPartial(RowJob const& row, std::int64_t line) {
  return line < row.points.begin ||
         (line + line_points > row.points.end && row.points.end != row.extent);
}

template <Pass pass, Storing storing, class Line>
inline void ComputeLine(RowJob const& row, std::int64_t line) {
  Line factors;
  FindFactors(row, line_neighbours(*row.map, row.first + grid::Point{line, 0, 0}), line, factors);
  if (!IsPartial(row, line)) {
    ComputePiece<pass, storing>(row, factors, Points{line, line + line_points});
  } else if constexpr (pass != Pass::react) {
    StepPartialLine(row, factors, line);
  }
}

// The first line of these, or their end, that no piece may hold: it is partial or has sources.
inline std::int64_t SpecialLine(RowJob const& row, Points const& points) {
  if (IsPartial(row, points.begin)) return points.begin;
  std::int64_t line = points.end;
  if (IsPartial(row, line - line_points)) line -= line_points;
  for (PointGain const& gain : row.gains) {
    if (gain.x >= points.begin) line = std::min(line, line_begin(gain.x));
  }
  return line;
}

template <Pass pass, Storing storing, class Piece, class Line>
inline void ComputeSegment(RowJob const& row, Segment const& segment) {
  Piece factors{};
  factors.factors = row.factors;
  factors.around = segment.around;
  for (std::int64_t x = segment.begin; x < segment.end;) {
    bool const is_uniform = segment.mixture == Mixture::uniform;
    std::int64_t const line = is_uniform ? SpecialLine(row, {x, segment.end}) : x;
    if (line > x) ComputePiece<pass, storing>(row, factors, Points{x, line});
    x = line;
    if (x == segment.end) return;
    ComputeLine<pass, storing, Line>(row, x);
    x += line_points;
  }
}

template <Pass pass, Storing storing>
inline void ComputeRow(RowJob const& row) {
  if (row.factors->has_pumps) {
    for (Segment const& segment : row.segments) {
      ComputeSegment<pass, storing, PumpedPieceFactors, PumpedLineFactors>(row, segment);
    }
  } else {
    for (Segment const& segment : row.segments) {
      ComputeSegment<pass, storing, PieceFactors, LineFactors>(row, segment);
    }
  }
}

template <Pass pass>
inline void PassOverRow(RowJob const& row) {
  if (row.storing == Storing::past_caches) {
    ComputeRow<pass, Storing::past_caches>(row);
  } else {
    ComputeRow<pass, Storing::in_cache>(row);
  }
}

inline void StepRow(RowJob const& row) {
  PassOverRow<Pass::step>(row);
}
inline void DiffuseRow(RowJob const& row) {
  PassOverRow<Pass::diffuse>(row);
}
inline void ReactRow(RowJob const& row) {
  PassOverRow<Pass::react>(row);
}
inline void FinishRows() {
  hn::FlushStream();
}

}  // namespace makespan::calcium::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_CALCIUM_ROWS_INL_HPP
