// SPDX-License-Identifier: Apache-2.0
// Several steps of a box at once (temporal blocking): within a tile of rows, plane z of the first
// step is computed, then plane z-1 of the second, z-2 of the third, … What lies between two steps
// is a ring of six planes that stays in the cache, so the memory sees one step's traffic for all
// of them. What a tile needs of its neighbours' rows in between it computes again.
//
// Source: M. Wittmann, G. Hager, G. Wellein, "Multicore-aware parallel temporal blocking of stencil
// codes for shared and distributed memory", 2010 (https://arxiv.org/abs/0912.4506), in the form for
// one thread; tiles overlap instead of being skewed.

#if defined(MAKESPAN_DIFFUSION_WAVE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_DIFFUSION_WAVE_INL_HPP
#undef MAKESPAN_DIFFUSION_WAVE_INL_HPP
#else
#define MAKESPAN_DIFFUSION_WAVE_INL_HPP
#endif

#include <algorithm>

#include "makespan/apps/diffusion/detail/rows-inl.hpp"
#include "makespan/apps/diffusion/kernels.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::diffusion::MAKESPAN_TARGET {

inline constexpr int wave_planes = 4;  // at once
// Those, and one on each side.
inline constexpr std::int64_t ring_planes = wave_planes + 2;
static_assert(ring_planes == wave_ring_planes);

// A range of rows or planes.
struct Reach {
  std::int64_t begin{};
  std::int64_t end{};
};

// [begin, end) with `more` at each end, but not beyond ends of the domain that have a rule.
inline Reach Reached(std::int64_t begin, std::int64_t end, std::int64_t more,
                     grid::Axis const& axis) {
  begin -= more;
  end += more;
  if (axis.low != grid::Beyond::stored) begin = std::max(begin, axis.begin);
  if (axis.high != grid::Beyond::stored) end = std::min(end, axis.end);
  return {begin, end};
}

// One tile's way through its planes and steps.
class Wave {
 public:
  Wave(WaveJob const& job, Reach const& tile_rows)
      : job_(job),
        view_(job.sweep.now),
        tile_rows_(tile_rows),
        // Of the first step, which reaches furthest: so all steps find room in one form of ring.
        first_row_(RowsOf(1).begin),
        plane_pitch_((RowsOf(1).end - first_row_) * view_.row_pitch) {}

  void Run() {
    std::int64_t const lag = job_.steps - 1;
    std::int64_t const end = job_.sweep.box.end.z + lag;
    for (std::int64_t z = PlanesOf(1).begin; z < end; z += wave_planes) {
      for (int step = 1; step <= job_.steps; ++step) ComputePlanes(step, z - (step - 1));
      job_.sweep.pause();
    }
  }

 private:
  [[nodiscard]] Reach RowsOf(int step) const {
    return Reached(tile_rows_.begin, tile_rows_.end, job_.steps - step, view_.axis_y());
  }
  [[nodiscard]] Reach PlanesOf(int step) const {
    grid::Box const& box = job_.sweep.box;
    return Reached(box.begin.z, box.end.z, job_.steps - step, view_.axis_z());
  }

  // Where x is 0, in the ring of what `step` made.
  [[nodiscard]] double* RingRow(int step, std::int64_t y, std::int64_t z) const {
    // Planes of a halo have numbers below 0.
    std::int64_t const turn = ((z % ring_planes) + ring_planes) % ring_planes;
    std::int64_t const slot = (step - 1) * ring_planes + turn;
    return job_.ring.data() + wave_ring_margin + slot * plane_pitch_ +
           (y - first_row_) * view_.row_pitch;
  }
  // The row at (y, z) after `step` steps.
  [[nodiscard]] double const* RowAfter(int step, std::int64_t y, std::int64_t z) const {
    if (step == 0) return view_.row(y, z);
    grid::Folded const across_z = grid::folded(z, view_.axis_z());
    if (across_z.is_value) return view_.row(y, z);
    grid::Folded const across_y = grid::folded(y, view_.axis_y());
    if (across_y.is_value) return view_.row(y, z);
    return RingRow(step, across_y.index, across_z.index);
  }
  [[nodiscard]] double* OutRow(int step, std::int64_t y, std::int64_t z) const {
    return step == job_.steps ? job_.sweep.next.at(y, z) : RingRow(step, y, z);
  }

  // Planes z … of a step, those of them that it makes.
  void ComputePlanes(int step, std::int64_t z) {
    Reach const planes = PlanesOf(step);
    std::int64_t const begin = std::max(z, planes.begin);
    std::int64_t const end = std::min(z + wave_planes, planes.end);
    if (end - begin == wave_planes) {
      ComputeRowsOf<wave_planes>(step, begin);
      return;
    }
    for (std::int64_t at = begin; at < end; ++at) ComputeRowsOf<1>(step, at);
  }

  template <int planes>
  void ComputeRowsOf(int step, std::int64_t z) {
    grid::Box const& box = job_.sweep.box;
    Reach const rows = RowsOf(step);
    RowSpan const span = SpanOf(view_, box.begin.x, box.end.x, job_.steps - step);
    std::int64_t y = rows.begin;
    for (; y < rows.end && !IsPlain(y); ++y) ComputeBesideFace<planes>(step, y, z, span);
    if (y == rows.end) return;
    // From one row to the next everything goes on by a row, but rows of a face's value.
    RowSet<planes> set = RowsAt<planes>(step, y, z);
    std::int64_t const pitch = view_.row_pitch;  // everywhere
    std::int64_t const low_pitch = IsValueAt(z - 1) ? 0 : pitch;
    std::int64_t const high_pitch = IsValueAt(z + planes) ? 0 : pitch;
    for (; y < rows.end && IsPlain(y); ++y) {
      ComputeSet(set, step, y, span);
      for (int k = 0; k < planes; ++k) {
        set.here[k] += pitch;
        set.out[k] += pitch;
      }
      set.z_low += low_pitch;
      set.z_high += high_pitch;
      set.ahead += pitch;
    }
    for (; y < rows.end; ++y) ComputeBesideFace<planes>(step, y, z, span);
  }

  // Whether both neighbours along y are rows of the grid.
  [[nodiscard]] bool IsPlain(std::int64_t y) const {
    return grid::folded(y - 1, view_.axis_y()).index == y - 1 &&
           grid::folded(y + 1, view_.axis_y()).index == y + 1 && !IsBesideValue(y);
  }
  [[nodiscard]] bool IsBesideValue(std::int64_t y) const {
    return grid::folded(y - 1, view_.axis_y()).is_value ||
           grid::folded(y + 1, view_.axis_y()).is_value;
  }
  [[nodiscard]] bool IsValueAt(std::int64_t z) const {
    return grid::folded(z, view_.axis_z()).is_value;
  }

  // A neighbour that keeps its value is the same row for all planes.
  template <int planes>
  void ComputeBesideFace(int step, std::int64_t y, std::int64_t z, RowSpan const& span) {
    if (!IsBesideValue(y)) {
      ComputeSet(RowsAt<planes>(step, y, z), step, y, span);
      return;
    }
    for (int k = 0; k < planes; ++k) ComputeSet(RowsAt<1>(step, y, z + k), step, y, span);
  }

  template <int planes>
  [[nodiscard]] RowSet<planes> RowsAt(int step, std::int64_t y, std::int64_t z) const {
    RowSet<planes> set;
    for (int k = 0; k < planes; ++k) {
      set.here[k] = RowAfter(step - 1, y, z + k);
      set.out[k] = OutRow(step, y, z + k);
    }
    set.y_low = RowAfter(step - 1, y - 1, z) - set.here[0];
    set.y_high = RowAfter(step - 1, y + 1, z) - set.here[0];
    set.z_low = RowAfter(step - 1, y, z - 1);
    set.z_high = RowAfter(step - 1, y, z + planes);
    set.ahead = view_.at(y, z + step + wave_planes);
    set.ahead_pitch = view_.plane_pitch;
    return set;
  }

  // Every step fetches its share of the rows that the first one will read, so that the memory
  // always has something to do.
  template <int planes>
  void ComputeSet(RowSet<planes> const& set, int step, std::int64_t y, RowSpan const& span) {
    bool const has_turn = (y - first_row_) % job_.steps == step - 1;
    if (step == job_.steps && job_.sweep.storing == Storing::past_caches) {
      ComputeSetBy<Storing::past_caches>(set, span, step, has_turn);
    } else {
      ComputeSetBy<Storing::in_cache>(set, span, step, has_turn);
    }
  }

  template <Storing storing, int planes>
  void ComputeSetBy(RowSet<planes> const& set, RowSpan const& span, int step, bool has_turn) {
    Factors const& factors = job_.sweep.factors;
    if (has_turn) {
      ComputeRows<planes, storing, Fetch::near_and_far>(set, span, factors);
    } else if (step == 1) {
      ComputeRows<planes, storing, Fetch::near>(set, span, factors);
    } else {
      ComputeRows<planes, storing, Fetch::none>(set, span, factors);
    }
  }

  WaveJob const& job_;
  grid::FieldView const& view_;
  Reach tile_rows_;
  std::int64_t first_row_;    // of the ring
  std::int64_t plane_pitch_;  // likewise
};

inline void WaveBox(WaveJob const& job) {
  grid::Box const& box = job.sweep.box;
  if (box.is_empty()) return;
  for (std::int64_t y = box.begin.y; y < box.end.y; y += job.sweep.tile_rows) {
    Wave(job, {y, std::min(y + job.sweep.tile_rows, box.end.y)}).Run();
  }
  hn::FlushStream();
}

}  // namespace makespan::diffusion::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_DIFFUSION_WAVE_INL_HPP
