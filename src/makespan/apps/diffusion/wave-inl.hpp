// SPDX-License-Identifier: Apache-2.0
// Several steps of a box at once (temporal blocking): within a tile of rows, plane z of the first
// step is computed, then plane z-1 of the second, z-2 of the third, … What lies between two steps
// is a ring of three planes that stays in the cache, so the memory sees one step's traffic for all
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

#include "makespan/apps/diffusion/kernels.hpp"
#include "makespan/apps/diffusion/rows-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::diffusion::MAKESPAN_TARGET {

inline constexpr std::int64_t ring_planes = 3;

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
  Wave(WaveJob const& job, std::int64_t y_begin, std::int64_t y_end)
      : job_(job), view_(job.sweep.now), y_begin_(y_begin), y_end_(y_end) {
    ring_first_row_ = RowsOf(1).begin;
    ring_plane_pitch_ = (RowsOf(1).end - ring_first_row_) * view_.row_pitch;
  }

  void Run() {
    grid::Box const& box = job_.sweep.box;
    std::int64_t const lag = job_.steps - 1;
    for (std::int64_t z = PlanesOf(1).begin; z < box.end.z + lag; ++z) {
      for (int step = 1; step <= job_.steps; ++step) {
        std::int64_t const plane = z - (step - 1);
        Reach const planes = PlanesOf(step);
        if (plane < planes.begin || plane >= planes.end) continue;
        ComputePlane(step, plane);
      }
      job_.sweep.pause();
    }
  }

 private:
  [[nodiscard]] Reach RowsOf(int step) const {
    return Reached(y_begin_, y_end_, job_.steps - step, view_.axis_y());
  }
  [[nodiscard]] Reach PlanesOf(int step) const {
    grid::Box const& box = job_.sweep.box;
    return Reached(box.begin.z, box.end.z, job_.steps - step, view_.axis_z());
  }

  // In the ring of what `step` made.
  [[nodiscard]] double* RingRow(int step, std::int64_t y, std::int64_t z) const {
    std::int64_t const slot =
        (step - 1) * ring_planes + ((z % ring_planes) + ring_planes) % ring_planes;
    return job_.ring.data() + 2 * grid::row_margin + slot * ring_plane_pitch_ +
           (y - ring_first_row_) * view_.row_pitch;
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

  void ComputePlane(int step, std::int64_t z) {
    SweepJob const& job = job_.sweep;
    RowSpan const span = SpanOf(view_, job.box.begin.x, job.box.end.x, job_.steps - step);
    Reach const rows = RowsOf(step);
    std::int64_t const first_row = RowsOf(1).begin;
    bool const is_last = step == job_.steps;
    for (std::int64_t y = rows.begin; y < rows.end; ++y) {
      RowSet set{.here = RowAfter(step - 1, y, z),
                 .y_low = RowAfter(step - 1, y - 1, z),
                 .y_high = RowAfter(step - 1, y + 1, z),
                 .z_low = RowAfter(step - 1, y, z - 1),
                 .z_high = RowAfter(step - 1, y, z + 1),
                 .out = is_last ? job.next.at(y, z) : RingRow(step, y, z)};
      // Every step fetches its share of the rows that the first one will read, so that the memory
      // always has something to do.
      std::int64_t const row = y - first_row;
      set.ahead = view_.at(y, z + (step - 1) + planes_ahead);
      bool const has_turn = row % job_.steps == step - 1;
      if (is_last && job.storing == Storing::past_caches) {
        ComputeRow<Storing::past_caches>(set, span, has_turn);
      } else {
        ComputeRow<Storing::in_cache>(set, span, has_turn);
      }
    }
  }

  template <Storing storing>
  void ComputeRow(RowSet const& set, RowSpan const& span, bool has_turn) {
    if (has_turn) {
      ComputeRows<1, storing, Fetch::near_and_far>(set, span, job_.sweep.factors);
    } else {
      ComputeRows<1, storing, Fetch::near>(set, span, job_.sweep.factors);
    }
  }

  // The plane above the first step's is read as a neighbour already.
  static constexpr std::int64_t planes_ahead = 2;

  WaveJob const& job_;
  grid::FieldView const& view_;
  std::int64_t y_begin_;
  std::int64_t y_end_;
  std::int64_t ring_first_row_{};
  std::int64_t ring_plane_pitch_{};
};

inline void WaveBox(WaveJob const& job) {
  SweepJob const& sweep = job.sweep;
  if (sweep.box.is_empty()) return;
  for (std::int64_t y = sweep.box.begin.y; y < sweep.box.end.y; y += sweep.tile_rows) {
    Wave(job, y, std::min(y + sweep.tile_rows, sweep.box.end.y)).Run();
  }
  hn::FlushStream();
}

}  // namespace makespan::diffusion::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_DIFFUSION_WAVE_INL_HPP
