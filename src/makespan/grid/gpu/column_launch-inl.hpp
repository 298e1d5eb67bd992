// SPDX-License-Identifier: Apache-2.0
// Launches of programs that go up a box column by column: a thread for so many planes of a column.
// For sources of nvcc, which include <cuda_runtime.h> before it.
#pragma once

#include <cstdint>

#include "makespan/cuda/error.hpp"
#include "makespan/cuda/stream.hpp"
#include "makespan/grid/cut/box.hpp"
#include "makespan/grid/field/column_planes.hpp"

namespace makespan::grid {

// Of a program: `Run(job, x, y, z_begin, z_end)`, which computes points of job.box, points_x of
// them along x from one whose place in its row is a multiple of that, of which the first or the
// last may lie beside the box; the threads of a block along x and y; and the most planes of a
// thread, which reads one more at each end.
template <class Program, class Job>
__global__ void __launch_bounds__(Program::threads_x* Program::threads_y)
    run_columns(Job job, std::int64_t planes_each) {
  Box const& box = job.box;
  std::int64_t const first = box.begin.x / Program::points_x * Program::points_x;
  std::int64_t const thread = static_cast<std::int64_t>(blockIdx.x) * Program::threads_x +
                              static_cast<std::int64_t>(threadIdx.x);
  std::int64_t const x = first + thread * Program::points_x;
  std::int64_t const y = box.begin.y + static_cast<std::int64_t>(blockIdx.y) * Program::threads_y +
                         static_cast<std::int64_t>(threadIdx.y);
  if (x >= box.end.x || y >= box.end.y) return;
  std::int64_t const begin = box.begin.z + static_cast<std::int64_t>(blockIdx.z) * planes_each;
  std::int64_t const end = begin + planes_each < box.end.z ? begin + planes_each : box.end.z;
  Program::Run(job, x, y, begin, end);
}

// Begins in the stream and returns. Throws cuda::CudaFailed that names `what`.
template <class Program, class Job>
void launch_columns_of(Job const& job, cuda::Stream const& stream, char const* what) {
  constexpr std::int64_t rows_max = Program::threads_y * column_blocks_max;
  auto const blocks = [](std::int64_t points, std::int64_t each) {
    return static_cast<unsigned>((points + each - 1) / each);
  };
  Box const& all = job.box;
  if (all.is_empty()) return;
  for (std::int64_t y = all.begin.y; y < all.end.y; y += rows_max) {
    Job part = job;
    part.box.begin.y = y;
    if (y + rows_max < all.end.y) part.box.end.y = y + rows_max;
    Point const extent = part.box.extent();
    std::int64_t const planes = column_planes(part.box, Program::points_x, Program::planes_max);
    // One more at most: the first may lie before the box.
    std::int64_t const threads = extent.x / Program::points_x + (Program::points_x > 1 ? 1 : 0);
    dim3 const grid(blocks(threads, Program::threads_x), blocks(extent.y, Program::threads_y),
                    blocks(extent.z, planes));
    run_columns<Program, Job>
        <<<grid, dim3(Program::threads_x, Program::threads_y), 0, stream.get()>>>(part, planes);
    cuda::check(cudaGetLastError(), what);
  }
}

}  // namespace makespan::grid
