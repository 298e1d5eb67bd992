// SPDX-License-Identifier: Apache-2.0
// Refilling, pumps, and binding to four buffers, along a piece of a row: pointwise.
//
// What a buffer has gained is taken from calcium as it was rounded, so that free and bound calcium
// together change by no more than the rounding of the free.

#if defined(MAKESPAN_CALCIUM_REACT_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_CALCIUM_REACT_INL_HPP
#undef MAKESPAN_CALCIUM_REACT_INL_HPP
#else
#define MAKESPAN_CALCIUM_REACT_INL_HPP
#endif

#include "makespan/apps/calcium/detail/diffuse-inl.hpp"
#include "makespan/apps/calcium/pump-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::calcium::MAKESPAN_TARGET {

struct BufferVectors {
  Doubles on;
  Doubles on_total;
  Doubles off;
};

// Of all points of a piece.
struct PieceReaction {
  BufferVectors buffers[buffer_count];
  Doubles refill;
  Doubles refill_to;
};
MAKESPAN_BODY Doubles WithGain(PieceReaction const&, std::int64_t, Doubles ca) {
  return ca;
}
MAKESPAN_BODY PieceReaction VectorsOf(Reaction const& reaction) {
  hn::F64 const d;
  PieceReaction piece;
  MAKESPAN_UNROLL
  for (int b = 0; b < buffer_count; ++b) {
    piece.buffers[b] = {hn::Set(d, reaction.on[b]), hn::Set(d, reaction.on_total[b]),
                        hn::Set(d, reaction.off[b])};
  }
  piece.refill = hn::Set(d, reaction.refill);
  piece.refill_to = hn::Set(d, reaction.refill_to);
  return piece;
}
MAKESPAN_BODY PieceReaction const& At(PieceReaction const& piece, std::int64_t) {
  // NOLINTNEXTLINE(bugprone-return-const-ref-from-parameter): the piece outlives its points
  return piece;
}

// Of each point of a line.
struct LineReaction {
  alignas(64) double on[buffer_count][line_points];
  alignas(64) double on_total[buffer_count][line_points];
  alignas(64) double off[buffer_count][line_points];
  alignas(64) double refill[line_points];
  alignas(64) double refill_to[line_points];
  alignas(64) double gain[line_points];  // by sources
};
MAKESPAN_BODY PieceReaction At(LineReaction const& line, std::int64_t i) {
  hn::F64 const d;
  PieceReaction at;
  MAKESPAN_UNROLL
  for (int b = 0; b < buffer_count; ++b) {
    at.buffers[b] = {hn::Load(d, line.on[b] + i), hn::Load(d, line.on_total[b] + i),
                     hn::Load(d, line.off[b] + i)};
  }
  at.refill = hn::Load(d, line.refill + i);
  at.refill_to = hn::Load(d, line.refill_to + i);
  return at;
}

MAKESPAN_BODY Doubles WithGain(LineReaction const& line, std::int64_t i, Doubles ca) {
  return hn::Add(ca, hn::Load(hn::F64(), line.gain + i));
}

// Takes what the buffer gains from `ca_left`. The arithmetic of all devices.
MAKESPAN_BODY Doubles Bound(Doubles bound, Doubles ca, BufferVectors const& buffer,
                            Doubles& ca_left) {
  Doubles const binding = hn::Mul(ca, hn::NegMulAdd(buffer.on, bound, buffer.on_total));
  Doubles const after = hn::Add(bound, hn::NegMulAdd(buffer.off, bound, binding));
  ca_left = hn::Sub(ca_left, hn::Sub(after, bound));
  return after;
}

// Sources, refilling, pumps and reaction at point i of a piece. `mobile` is what diffusion left,
// and then what this leaves; returns troponin's.
template <class Reactions, class Pumpings>
MAKESPAN_BODY Doubles React(Reactions const& reactions, Pumpings const& pumpings, std::int64_t i,
                            Doubles (&mobile)[mobile_count], Doubles troponin) {
  PieceReaction const& at = At(reactions, i);
  Doubles const fed = WithGain(reactions, i, mobile[0]);
  Doubles const refilled = hn::MulAdd(at.refill, hn::Sub(at.refill_to, fed), fed);
  Doubles const ca = Pumped(pumpings, i, refilled);
  Doubles left = ca;
  mobile[1] = Bound(mobile[1], ca, at.buffers[0], left);
  mobile[2] = Bound(mobile[2], ca, at.buffers[1], left);
  Doubles const after = Bound(troponin, ca, at.buffers[2], left);
  mobile[3] = Bound(mobile[3], ca, at.buffers[3], left);
  mobile[0] = left;
  return after;
}

}  // namespace makespan::calcium::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_CALCIUM_REACT_INL_HPP
