// SPDX-License-Identifier: Apache-2.0
// Where a row's points find their factors: pieces in which all have the same, and lines of any.

#if defined(MAKESPAN_CALCIUM_FACTORS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_CALCIUM_FACTORS_INL_HPP
#undef MAKESPAN_CALCIUM_FACTORS_INL_HPP
#else
#define MAKESPAN_CALCIUM_FACTORS_INL_HPP
#endif

#include "makespan/apps/calcium/detail/diffuse-inl.hpp"
#include "makespan/apps/calcium/react-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::calcium::MAKESPAN_TARGET {

// The factors of a piece of equal points.
struct PieceFactors {
  Factors const* factors{};
  Neighbourhood around{};
};
MAKESPAN_BODY PieceDiffusion DiffusionOf(PieceFactors const& piece, int field) {
  return {hn::Set(hn::F64(), piece.factors->lambda[static_cast<int>(piece.around.own)][field])};
}
MAKESPAN_BODY PieceReaction ReactionOf(PieceFactors const& piece) {
  return VectorsOf(piece.factors->reactions[static_cast<int>(piece.around.own)]);
}
MAKESPAN_BODY NoPumping PumpingOf(PieceFactors const&) {
  return {};
}
// The row as its points see it.
MAKESPAN_BODY SpreadRow RowSeen(PieceFactors const& piece, SpreadRow row) {
  auto const& passes = piece.factors->passes[static_cast<int>(piece.around.own)];
  auto const is_closed = [&](grid::Face face) {
    return !passes[static_cast<int>(piece.around.beyond[static_cast<int>(face)])];
  };
  if (is_closed(grid::Face::y_low)) row.y_low = row.here;
  if (is_closed(grid::Face::y_high)) row.y_high = row.here;
  if (is_closed(grid::Face::z_low)) row.z_low = row.here;
  if (is_closed(grid::Face::z_high)) row.z_high = row.here;
  return row;
}

// Those of a line of any points.
struct LineFactors {
  alignas(64) double lambda[mobile_count][line_points];
  alignas(64) double passes[grid::face_count][line_points];
  LineReaction reaction;
};
MAKESPAN_BODY LineDiffusion DiffusionOf(LineFactors const& line, int field) {
  return {line.lambda[field], line.passes};
}
MAKESPAN_BODY LineReaction const& ReactionOf(LineFactors const& line) {
  return line.reaction;
}
MAKESPAN_BODY NoPumping PumpingOf(LineFactors const&) {
  return {};
}
MAKESPAN_BODY SpreadRow RowSeen(LineFactors const&, SpreadRow const& row) {
  return row;
}

// The same where there are pumps.
struct PumpedPieceFactors : PieceFactors {};
MAKESPAN_BODY PiecePumping PumpingOf(PumpedPieceFactors const& piece) {
  Factors const& factors = *piece.factors;
  return VectorsOf(factors.pumpings[static_cast<int>(piece.around.own)], factors.membrane,
                   membrane_faces(piece.around, factors));
}
struct PumpedLineFactors : LineFactors {
  LinePumping pumping;
};
MAKESPAN_BODY LinePumping const& PumpingOf(PumpedLineFactors const& line) {
  return line.pumping;
}

using LineNeighbours = std::array<Neighbourhood, line_points>;

inline void FindFactors(RowJob const& job, LineNeighbours const& around, std::int64_t x,
                        LineFactors& line) {
  for (int i = 0; i < line_points; ++i) {
    int const own = static_cast<int>(around[i].own);
    for (int face = 0; face < grid::face_count; ++face) {
      int const beyond = static_cast<int>(around[i].beyond[face]);
      line.passes[face][i] = job.factors->passes[own][beyond] ? 1 : 0;
    }
    for (int field = 0; field < mobile_count; ++field) {
      line.lambda[field][i] = job.factors->lambda[own][field];
    }
    Reaction const& reaction = job.factors->reactions[own];
    for (int b = 0; b < buffer_count; ++b) {
      line.reaction.on[b][i] = reaction.on[b];
      line.reaction.on_total[b][i] = reaction.on_total[b];
      line.reaction.off[b][i] = reaction.off[b];
    }
    line.reaction.refill[i] = reaction.refill;
    line.reaction.refill_to[i] = reaction.refill_to;
    line.reaction.gain[i] = 0;
  }
  for (PointGain const& gain : job.gains) {
    if (line_begin(gain.x) == x) line.reaction.gain[gain.x - x] += gain.amount;
  }
}
inline void FindFactors(RowJob const& job, LineNeighbours const& around, std::int64_t x,
                        PumpedLineFactors& line) {
  FindFactors(job, around, x, static_cast<LineFactors&>(line));
  line.pumping.membrane = VectorsOf(job.factors->membrane);
  for (int i = 0; i < line_points; ++i) {
    Uptake const& uptake = job.factors->pumpings[static_cast<int>(around[i].own)].uptake;
    line.pumping.forth4[i] = uptake.forth4;
    line.pumping.forth2[i] = uptake.forth2;
    line.pumping.back[i] = uptake.back;
    line.pumping.all4[i] = uptake.all4;
    line.pumping.all2[i] = uptake.all2;
    line.pumping.all0[i] = uptake.all0;
    line.pumping.leak[i] = uptake.leak;
    line.pumping.leak_from[i] = uptake.leak_from;
    line.pumping.faces[i] = membrane_faces(around[i], *job.factors);
  }
}

}  // namespace makespan::calcium::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_CALCIUM_FACTORS_INL_HPP
