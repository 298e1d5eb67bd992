// SPDX-License-Identifier: Apache-2.0
#include "makespan/simd/one_lane.hpp"
// (first: it says what the programs are written in)
#include <algorithm>

#include "host_columns.hpp"
#include "makespan/apps/diffusion/gpu/detail/column-inl.hpp"

namespace makespan::diffusion {

void compute_columns(grid::Sweep const& sweep, Factors const& factors, std::int64_t planes_each) {
  ColumnJob const job = column_job_of(sweep, factors);
  grid::Box const& box = job.box;
  for (std::int64_t z = box.begin.z; z < box.end.z; z += planes_each) {
    for (std::int64_t y = box.begin.y; y < box.end.y; ++y) {
      for (std::int64_t x = box.begin.x / 2 * 2; x < box.end.x; x += 2) {
        one_lane::ComputeColumns(job, x, y, z, std::min(z + planes_each, box.end.z));
      }
    }
  }
}

}  // namespace makespan::diffusion
