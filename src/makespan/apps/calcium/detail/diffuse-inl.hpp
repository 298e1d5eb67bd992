// SPDX-License-Identifier: Apache-2.0
// Diffusion of one field along a row: u' = u + λ (sum of six - 6 u). Through a face that
// lets nothing pass a point sees itself. Where all points of a piece have such a face they look at
// their own row instead of the one beyond; elsewhere each point's neighbours are chosen one by one.
// The operations are the same, and so are the bits.
//
// A field in which all points are the same stays so, to the last bit: four neighbours are 4 u, and
// two less 6 u are -4 u, without rounding.

#if defined(MAKESPAN_CALCIUM_DIFFUSE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_CALCIUM_DIFFUSE_INL_HPP
#undef MAKESPAN_CALCIUM_DIFFUSE_INL_HPP
#else
#define MAKESPAN_CALCIUM_DIFFUSE_INL_HPP
#endif

#include "makespan/apps/calcium/kernels.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::calcium::MAKESPAN_TARGET {
namespace hn = makespan::simd::MAKESPAN_TARGET;

using Doubles = hn::Vec<hn::F64>;
inline constexpr std::int64_t lanes = hn::lanes_f64;
// How far ahead of use a row is brought from the second-level cache into the first.
inline constexpr std::int64_t near_points = 64;

// What points see beyond each face.
struct FaceVectors {
  Doubles x_low;
  Doubles x_high;
  Doubles y_low;
  Doubles y_high;
  Doubles z_low;
  Doubles z_high;
};

// A piece whose points see what there is.
struct PieceDiffusion {
  Doubles lambda;
};
MAKESPAN_BODY Doubles LambdaAt(PieceDiffusion const& piece, std::int64_t) {
  return piece.lambda;
}
MAKESPAN_BODY FaceVectors Seen(PieceDiffusion const&, std::int64_t, FaceVectors const& beyond,
                               Doubles) {
  return beyond;
}

// A line, point by point; 1 for faces that let pass, else 0.
struct LineDiffusion {
  double const* lambda{};
  double const (*passes)[line_points]{};
};
MAKESPAN_BODY Doubles LambdaAt(LineDiffusion const& line, std::int64_t i) {
  return hn::Load(hn::F64(), line.lambda + i);
}
MAKESPAN_BODY Doubles SeenBeyond(double const* passes, Doubles beyond, Doubles here) {
  hn::F64 const d;
  return hn::IfThenElse(hn::Gt(hn::Load(d, passes), hn::Zero(d)), beyond, here);
}
MAKESPAN_BODY FaceVectors Seen(LineDiffusion const& line, std::int64_t i, FaceVectors const& beyond,
                               Doubles here) {
  return {SeenBeyond(line.passes[0] + i, beyond.x_low, here),
          SeenBeyond(line.passes[1] + i, beyond.x_high, here),
          SeenBeyond(line.passes[2] + i, beyond.y_low, here),
          SeenBeyond(line.passes[3] + i, beyond.y_high, here),
          SeenBeyond(line.passes[4] + i, beyond.z_low, here),
          SeenBeyond(line.passes[5] + i, beyond.z_high, here)};
}

// A step of one field at one point; the arithmetic of all devices.
MAKESPAN_BODY Doubles Diffused(Doubles here, FaceVectors const& seen, Doubles lambda) {
  hn::F64 const d;
  Doubles const along_x = hn::Add(seen.x_low, seen.x_high);
  Doubles const along_y = hn::Add(seen.y_low, seen.y_high);
  Doubles const along_z = hn::Add(seen.z_low, seen.z_high);
  Doubles const less = hn::NegMulAdd(hn::Set(d, 6.0), here, along_z);
  return hn::MulAdd(lambda, hn::Add(hn::Add(along_x, along_y), less), here);
}

template <Storing storing>
MAKESPAN_BODY void Put(Doubles value, double* to) {
  hn::F64 const d;
  if constexpr (storing == Storing::past_caches) {
    hn::Stream(value, d, to);
  } else {
    hn::Store(value, d, to);
  }
}

// How rows end.
struct RowEnds {
  std::int64_t extent{};
  grid::Beyond low{};
  grid::Beyond high{};
};

// The vectors of a row at x, and those before and after them.
struct RowVectors {
  Doubles before;
  Doubles here;
  Doubles after;
};

MAKESPAN_BODY RowVectors BeginRow(SpreadRow const& row, RowEnds const& ends, std::int64_t x) {
  hn::F64 const d;
  // There is memory before a row's first point (grid::row_margin), whatever lies in it.
  double before = row.here[x - 1];
  if (x == 0 && ends.low != grid::Beyond::stored) {
    before = ends.low == grid::Beyond::mirror ? row.here[0] : row.low_value;
  }
  return {hn::Set(d, before), hn::Load(d, row.here + x), hn::Zero(d)};
}

// Puts what is beyond the row's end behind its last point, which is among the vectors at x.
MAKESPAN_BODY void EndRow(SpreadRow const& row, RowEnds const& ends, std::int64_t x,
                          RowVectors& at) {
  hn::F64 const d;
  double const last = row.here[ends.extent - 1];
  auto const is_beyond = hn::Gt(hn::Iota(d, static_cast<double>(x)),
                                hn::Set(d, static_cast<double>(ends.extent) - 0.5));
  at.after = hn::Set(d, ends.high == grid::Beyond::mirror ? last : row.high_value);
  at.here = hn::IfThenElse(is_beyond, at.after, at.here);
}

// Up to where the vectors after those of a piece lie in memory as they are.
MAKESPAN_BODY std::int64_t PlainEnd(RowEnds const& ends, Points const& points) {
  bool const has_rule = ends.high != grid::Beyond::stored && points.end >= ends.extent;
  return has_rule ? (ends.extent - 1) / lanes * lanes : points.end;
}

// At x, which is point i of its piece; then goes on to the vectors that follow.
template <class Diffusion>
MAKESPAN_BODY Doubles DiffusedAt(SpreadRow const& row, Diffusion const& diffusion, std::int64_t x,
                                 std::int64_t i, RowVectors& at) {
  hn::F64 const d;
  hn::PrefetchFar(row.ahead + x);
  hn::PrefetchNear(row.z_high + x + near_points);
  FaceVectors const beyond{hn::OneBefore(at.before, at.here), hn::OneAfter(at.here, at.after),
                           hn::Load(d, row.y_low + x),        hn::Load(d, row.y_high + x),
                           hn::Load(d, row.z_low + x),        hn::Load(d, row.z_high + x)};
  Doubles const result =
      Diffused(at.here, Seen(diffusion, i, beyond, at.here), LambdaAt(diffusion, i));
  at.before = at.here;
  at.here = at.after;
  return result;
}

// Points from points.begin on, up to points.end or to the vector of the row's last one.
template <Storing storing, class Diffusion>
MAKESPAN_BODY void DiffusePiece(SpreadRow const& row, RowEnds const& ends,
                                Diffusion const& diffusion, Points const& points) {
  hn::F64 const d;
  std::int64_t const end = PlainEnd(ends, points);
  RowVectors at = BeginRow(row, ends, points.begin);
  std::int64_t x = points.begin;
  for (; x < end; x += lanes) {
    at.after = hn::Load(d, row.here + x + lanes);
    Put<storing>(DiffusedAt(row, diffusion, x, x - points.begin, at), row.out + x);
  }
  if (end == points.end) return;
  EndRow(row, ends, x, at);
  Put<storing>(DiffusedAt(row, diffusion, x, x - points.begin, at), row.out + x);
}

}  // namespace makespan::calcium::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_CALCIUM_DIFFUSE_INL_HPP
