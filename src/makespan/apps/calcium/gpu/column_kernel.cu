// SPDX-License-Identifier: Apache-2.0
#include "makespan/simd/one_lane.hpp"
// (first: it says what the programs are written in)
#include "makespan/cuda/runtime_api.hpp"

#include "makespan/apps/calcium/gpu/detail/column-inl.hpp"
#include "makespan/apps/calcium/gpu/detail/column_kernel.hpp"
#include "makespan/grid/gpu/column_launch-inl.hpp"

namespace makespan::calcium {

namespace {

template <bool pumped>
struct Columns {
  static constexpr int points_x = 1;
  // Four rows of whole cache lines, so that neighbours along y are near.
  static constexpr int threads_x = 32;
  static constexpr int threads_y = 4;
  static constexpr std::int64_t planes_max = 32;

  static __device__ __forceinline__ void Run(ColumnJob const& job, std::int64_t x, std::int64_t y,
                                             std::int64_t z_begin, std::int64_t z_end) {
    one_lane::ComputeColumn<pumped>(job, x, y, z_begin, z_end);
  }
};

}  // namespace

void launch_columns(ColumnJob const& job, cuda::Stream const& stream) {
  char const* const what = "launch of a step of calcium";
  if (job.tables.has_pumps) {
    grid::launch_columns_of<Columns<true>>(job, stream, what);
  } else {
    grid::launch_columns_of<Columns<false>>(job, stream, what);
  }
}

}  // namespace makespan::calcium
