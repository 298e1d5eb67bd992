// SPDX-License-Identifier: Apache-2.0
#include "makespan/simd/one_lane.hpp"
// (first: it says what the programs are written in)
#include <cuda_runtime.h>

#include "makespan/apps/diffusion/gpu/column-inl.hpp"
#include "makespan/apps/diffusion/gpu/column_kernel.hpp"
#include "makespan/cuda/error.hpp"

namespace makespan::diffusion {

namespace {

// Of a block: two cache lines of four rows along x, so that neighbours along y are near.
constexpr int threads_x = 64;
constexpr int threads_y = 4;
// Of a thread. Each reads one plane below and above what it computes: of 64 planes that is 3 %.
constexpr std::int64_t planes_each = 64;

__global__ void __launch_bounds__(threads_x* threads_y) compute_columns(ColumnJob job) {
  std::int64_t const x = job.box.begin.x + static_cast<std::int64_t>(blockIdx.x) * threads_x +
                         static_cast<std::int64_t>(threadIdx.x);
  std::int64_t const y = job.box.begin.y + static_cast<std::int64_t>(blockIdx.y) * threads_y +
                         static_cast<std::int64_t>(threadIdx.y);
  if (x >= job.box.end.x || y >= job.box.end.y) return;
  std::int64_t const begin = job.box.begin.z + static_cast<std::int64_t>(blockIdx.z) * planes_each;
  std::int64_t const end =
      begin + planes_each < job.box.end.z ? begin + planes_each : job.box.end.z;
  one_lane::ComputeColumn(job, x, y, begin, end);
}

unsigned blocks_for(std::int64_t points, std::int64_t each) {
  return static_cast<unsigned>((points + each - 1) / each);
}

}  // namespace

void launch_columns(ColumnJob const& job, cuda::Stream const& stream) {
  if (job.box.is_empty()) return;
  grid::Point const extent = job.box.extent();
  dim3 const blocks(blocks_for(extent.x, threads_x), blocks_for(extent.y, threads_y),
                    blocks_for(extent.z, planes_each));
  compute_columns<<<blocks, dim3(threads_x, threads_y), 0, stream.get()>>>(job);
  cuda::check(cudaGetLastError(), "launch of a step of diffusion");
}

}  // namespace makespan::diffusion
