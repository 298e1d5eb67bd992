// SPDX-License-Identifier: Apache-2.0
// One step of a box. Tiles of some rows go up through the planes, so that a plane is still in the
// second-level cache when the planes after it are computed; and four planes at a time, so that it
// is loaded from there half as often. What is needed next is fetched ahead: a processor's own
// fetching does not see far enough in so many streams. Measured:
// docs/decisions/0067-stencil-kernel-four-planes-at-a-time.md.

#if defined(MAKESPAN_DIFFUSION_SWEEP_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_DIFFUSION_SWEEP_INL_HPP
#undef MAKESPAN_DIFFUSION_SWEEP_INL_HPP
#else
#define MAKESPAN_DIFFUSION_SWEEP_INL_HPP
#endif

#include <algorithm>

#include "makespan/apps/diffusion/detail/rows-inl.hpp"
#include "makespan/apps/diffusion/kernels.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::diffusion::MAKESPAN_TARGET {

inline constexpr int planes_at_once = 4;
inline constexpr std::int64_t rows_ahead = 3;  // 2 to 4 are alike, 1 and 8 slower

// Rows [y_begin, y_end) of one tile, in planes z, z+1, …
struct TileRows {
  std::int64_t y_begin{};
  std::int64_t y_end{};
  std::int64_t z{};
};

template <int planes, Storing storing>
MAKESPAN_BODY void SweepPlanes(SweepJob const& job, RowSpan const& span, TileRows const& tile) {
  grid::FieldView const& now = job.now;
  for (std::int64_t y = tile.y_begin; y < tile.y_end; ++y) {
    // Behind the tile's last rows come the first ones of the planes above.
    std::int64_t const target = y + rows_ahead;
    bool const is_in_tile = target < tile.y_end;
    double const* const ahead =
        is_in_tile ? now.at(target, tile.z + 1)
                   : now.at(target - tile.y_end + tile.y_begin, tile.z + 1 + planes);
    double const* const here = now.at(y, tile.z);
    RowSet<planes> set;
    set.y_low = now.row(y - 1, tile.z) - here;
    set.y_high = now.row(y + 1, tile.z) - here;
    set.z_low = now.row(y, tile.z - 1);
    set.z_high = now.row(y, tile.z + planes);
    set.ahead = ahead;
    set.ahead_pitch = now.plane_pitch;
    MAKESPAN_UNROLL
    for (int k = 0; k < planes; ++k) {
      set.here[k] = here + k * now.plane_pitch;
      set.out[k] = job.next.at(y, tile.z + k);
    }
    ComputeRows<planes, storing, Fetch::near_and_far>(set, span, job.factors);
  }
}

// Rows beside a face that keeps a value have a neighbour that is the same in all planes.
inline bool HasValueAlongY(grid::FieldView const& view, std::int64_t y_begin, std::int64_t y_end) {
  return (y_begin == 0 && view.beyond(grid::Face::y_low) == grid::Beyond::value) ||
         (y_end == view.box.extent().y && view.beyond(grid::Face::y_high) == grid::Beyond::value);
}

template <Storing storing>
MAKESPAN_BODY void SweepTile(SweepJob const& job, RowSpan const& span, std::int64_t y_begin,
                             std::int64_t y_end) {
  std::int64_t z = job.box.begin.z;
  for (; z + planes_at_once <= job.box.end.z; z += planes_at_once) {
    std::int64_t begin = y_begin;
    std::int64_t end = y_end;
    if (HasValueAlongY(job.now, y_begin, y_begin + 1)) ++begin;
    if (end > begin && HasValueAlongY(job.now, y_end - 1, y_end)) --end;
    for (std::int64_t k = 0; k < planes_at_once; ++k) {
      SweepPlanes<1, storing>(job, span, {y_begin, begin, z + k});
    }
    SweepPlanes<planes_at_once, storing>(job, span, {begin, end, z});
    for (std::int64_t k = 0; k < planes_at_once; ++k) {
      SweepPlanes<1, storing>(job, span, {end, y_end, z + k});
    }
    job.pause();
  }
  for (; z < job.box.end.z; ++z) SweepPlanes<1, storing>(job, span, {y_begin, y_end, z});
  job.pause();
}

template <Storing storing>
MAKESPAN_BODY void SweepTiles(SweepJob const& job) {
  RowSpan const span = SpanOf(job.now, job.box.begin.x, job.box.end.x, 0);
  for (std::int64_t y = job.box.begin.y; y < job.box.end.y; y += job.tile_rows) {
    SweepTile<storing>(job, span, y, std::min(y + job.tile_rows, job.box.end.y));
  }
  // Before this thread says that it is through: stores past the caches are ordered with later ones
  // by a flush only, and other threads read these rows next.
  hn::FlushStream();
}

inline void SweepBox(SweepJob const& job) {
  if (job.box.is_empty()) return;
  if (job.storing == Storing::past_caches) {
    SweepTiles<Storing::past_caches>(job);
  } else {
    SweepTiles<Storing::in_cache>(job);
  }
}

}  // namespace makespan::diffusion::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_DIFFUSION_SWEEP_INL_HPP
