// SPDX-License-Identifier: Apache-2.0
// The seven-point step as most programs have it: three nested loops, the outer one shared by
// OpenMP, left to the compiler. Compiled with the flags of its users: -O3 -march=native -fopenmp.
#include "openmp_loop.hpp"

namespace makespan::bench {

void openmp_step(double const* __restrict now, double* __restrict next, LoopSize const& size,
                 double lambda) {
  long const row = size.x + 2;
  long const plane = row * (size.y + 2);
  double const centre = 1 - 6 * lambda;
#pragma omp parallel for schedule(static) num_threads(size.threads)
  for (long z = 1; z <= size.z; ++z) {
    for (long y = 1; y <= size.y; ++y) {
      long const at = z * plane + y * row;
      for (long x = at + 1; x <= at + size.x; ++x) {
        next[x] = centre * now[x] + lambda * (now[x - 1] + now[x + 1] + now[x - row] +
                                              now[x + row] + now[x - plane] + now[x + plane]);
      }
    }
  }
}

void openmp_clear(double* field, LoopSize const& size) {
  long const plane = (size.x + 2) * (size.y + 2);
#pragma omp parallel for schedule(static) num_threads(size.threads)
  for (long z = 0; z < size.z + 2; ++z) {
    for (long at = 0; at < plane; ++at) field[z * plane + at] = 0;
  }
}

}  // namespace makespan::bench
