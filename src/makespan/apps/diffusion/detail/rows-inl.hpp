// SPDX-License-Identifier: Apache-2.0
// One row of a step, in several planes at once: what is loaded of a plane serves the planes on both
// sides of it.
//
// A vector of a row is 7 loads, 7 operations and a store, if each neighbour is loaded. Those along
// x come from the vectors before and after instead, which are in registers, and of `planes` planes
// one above the other only the outer two are loaded as neighbours along z: for four planes that is
// 14 loads and 4 stores for 4 vectors.

#if defined(MAKESPAN_DIFFUSION_ROWS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_DIFFUSION_ROWS_INL_HPP
#undef MAKESPAN_DIFFUSION_ROWS_INL_HPP
#else
#define MAKESPAN_DIFFUSION_ROWS_INL_HPP
#endif

#include "makespan/apps/diffusion/kernels.hpp"
#include "makespan/apps/diffusion/point-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::diffusion::MAKESPAN_TARGET {

inline constexpr std::int64_t lanes = hn::lanes_f64;

// Which points of rows are computed: whole vectors from `begin` to `end`.
struct RowSpan {
  std::int64_t begin{};
  std::int64_t end{};
  std::int64_t extent{};  // points of the rows
  grid::Beyond low{};
  grid::Beyond high{};
  double low_value{};
  double high_value{};
};

inline constexpr std::int64_t line_points = 8;
// What is brought nearer while a row is computed: the row's next lines into the first-level cache;
// and a row of `ahead` into the second-level one.
enum class Fetch : std::uint8_t { none, near, near_and_far };

// How far ahead of use a row is brought from the second-level cache into the first: 16 lines; 8 to
// 32 are alike.
inline constexpr std::int64_t near_points = 128;

inline std::int64_t RoundedDown(std::int64_t x) {
  return x - ((x % line_points) + line_points) % line_points;
}

// The span of [begin, end) of a view's rows; `more` points may be beyond each end that is stored.
inline RowSpan SpanOf(grid::FieldView const& view, std::int64_t begin, std::int64_t end,
                      std::int64_t more) {
  RowSpan span{.extent = view.box.extent().x,
               .low = view.beyond(grid::Face::x_low),
               .high = view.beyond(grid::Face::x_high),
               .low_value = view.values[static_cast<int>(grid::Face::x_low)],
               .high_value = view.values[static_cast<int>(grid::Face::x_high)]};
  begin -= more;
  end += more;
  if (begin < 0 && span.low != grid::Beyond::stored) begin = 0;
  if (end > span.extent && span.high != grid::Beyond::stored) end = span.extent;
  span.begin = RoundedDown(begin);
  span.end = RoundedDown(end + line_points - 1);
  return span;
}

// Rows at one y of `planes` planes, each from where x is 0; and their neighbours.
template <int planes>
struct RowSet {
  double const* here[planes];
  double* out[planes];
  std::int64_t y_low{};        // from a row to its neighbour, the same in all planes
  std::int64_t y_high{};       // likewise
  double const* z_low{};       // below the first plane
  double const* z_high{};      // above the last plane
  double const* ahead{};       // soon to be read: in the first plane that is fetched
  std::int64_t ahead_pitch{};  // from that plane to the next one
};

// The vectors of each plane at x, and those before them.
template <int planes>
struct RowVectors {
  Doubles before[planes];
  Doubles here[planes];
};

template <int planes>
MAKESPAN_BODY void BeginRows(RowSet<planes> const& set, RowSpan const& span,
                             RowVectors<planes>& at) {
  hn::F64 const d;
  MAKESPAN_UNROLL
  for (int k = 0; k < planes; ++k) {
    double const* const row = set.here[k];
    // There is memory before a row's first point, whatever lies in it: grid::row_margin, and in
    // the ring of a wave wave_ring_margin or another row.
    double first = row[span.begin - 1];
    if (span.begin == 0 && span.low != grid::Beyond::stored) {
      first = span.low == grid::Beyond::mirror ? row[0] : span.low_value;
    }
    at.before[k] = hn::Set(d, first);
    at.here[k] = hn::Load(d, row + span.begin);
  }
}

// The vectors at x, with those that follow them in `after`; then goes on to these.
template <int planes, Storing storing, Fetch fetch>
MAKESPAN_BODY void ComputeVectors(RowSet<planes> const& set, FactorVectors const& factors,
                                  std::int64_t x, Doubles const (&after)[planes],
                                  RowVectors<planes>& at) {
  hn::F64 const d;
  std::int64_t const low = x + set.y_low;
  std::int64_t const high = x + set.y_high;
  Doubles below = hn::Load(d, set.z_low + x);
  Doubles const top = hn::Load(d, set.z_high + x);
  if constexpr (fetch != Fetch::none) hn::PrefetchNear(set.z_high + x + near_points);
  MAKESPAN_UNROLL
  for (int k = 0; k < planes; ++k) {
    double const* const row = set.here[k];
    if constexpr (fetch == Fetch::near_and_far) {
      hn::PrefetchFar(set.ahead + k * set.ahead_pitch + x);
    }
    if constexpr (fetch != Fetch::none) hn::PrefetchNear(row + high + near_points);
    Doubles const here = at.here[k];
    Doubles const sum_x = hn::Add(hn::OneBefore(at.before[k], here), hn::OneAfter(here, after[k]));
    Doubles const sum_y = hn::Add(hn::Load(d, row + low), hn::Load(d, row + high));
    Doubles const above = k == planes - 1 ? top : at.here[k == planes - 1 ? k : k + 1];
    Doubles const result = Diffused(here, sum_x, sum_y, hn::Add(below, above), factors);
    double* const to = set.out[k] + x;
    if constexpr (storing == Storing::past_caches) {
      hn::Stream(result, d, to);
    } else {
      hn::Store(result, d, to);
    }
    below = here;
    at.before[k] = here;
    at.here[k] = after[k];
  }
}

// The last vectors of rows that end with a rule: what is beyond the end is put behind the last
// point.
template <int planes, Storing storing, Fetch fetch>
MAKESPAN_BODY void FinishRows(RowSet<planes> const& set, RowSpan const& span,
                              FactorVectors const& factors, std::int64_t x,
                              RowVectors<planes>& at) {
  hn::F64 const d;
  Doubles after[planes];
  // Lanes beyond the last point, if there are any.
  auto const is_beyond = hn::Gt(hn::Iota(d, static_cast<double>(x)),
                                hn::Set(d, static_cast<double>(span.extent) - 0.5));
  MAKESPAN_UNROLL
  for (int k = 0; k < planes; ++k) {
    double const* const row = set.here[k];
    after[k] =
        hn::Set(d, span.high == grid::Beyond::mirror ? row[span.extent - 1] : span.high_value);
    at.here[k] = hn::IfThenElse(is_beyond, after[k], at.here[k]);
  }
  ComputeVectors<planes, storing, fetch>(set, factors, x, after, at);
}

template <int planes, Storing storing, Fetch fetch>
MAKESPAN_BODY void ComputeRows(RowSet<planes> const& given, RowSpan const& span,
                               Factors const& numbers) {
  hn::F64 const d;
  RowSet<planes> const set = given;  // in registers, as far as they go
  FactorVectors const factors = VectorsOf(numbers);
  RowVectors<planes> at;
  BeginRows(set, span, at);
  bool const has_rule = span.high != grid::Beyond::stored && span.end >= span.extent;
  std::int64_t const end = has_rule ? (span.extent - 1) / lanes * lanes : span.end;
  std::int64_t x = span.begin;
  for (; x < end; x += lanes) {
    Doubles after[planes];
    MAKESPAN_UNROLL
    for (int k = 0; k < planes; ++k) {
      after[k] = hn::Load(d, set.here[k] + x + lanes);
    }
    ComputeVectors<planes, storing, fetch>(set, factors, x, after, at);
  }
  if (has_rule) FinishRows<planes, storing, fetch>(set, span, factors, x, at);
}

}  // namespace makespan::diffusion::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_DIFFUSION_ROWS_INL_HPP
