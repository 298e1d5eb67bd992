// SPDX-License-Identifier: Apache-2.0
#include "makespan/simd/one_lane.hpp"
// (first: it says what the programs are written in)
#include "makespan/cuda/runtime_api.hpp"

#include "makespan/apps/diffusion/gpu/detail/column-inl.hpp"
#include "makespan/apps/diffusion/gpu/detail/column_kernel.hpp"
#include "makespan/grid/gpu/column_launch-inl.hpp"

namespace makespan::diffusion {

namespace {

struct Columns {
  static constexpr int points_x = 2;
  // Rows of whole cache lines, eight of them, so that neighbours along y are near.
  static constexpr int threads_x = 32;
  static constexpr int threads_y = 8;
  static constexpr std::int64_t planes_max = 64;

  static __device__ __forceinline__ void Run(ColumnJob const& job, std::int64_t x, std::int64_t y,
                                             std::int64_t z_begin, std::int64_t z_end) {
    one_lane::ComputeColumns(job, x, y, z_begin, z_end);
  }
};

}  // namespace

void launch_columns(ColumnJob const& job, cuda::Stream const& stream) {
  grid::launch_columns_of<Columns>(job, stream, "launch of a step of diffusion");
}

}  // namespace makespan::diffusion
