// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace makespan::bench {

struct LoopSize {
  long x;
  long y;
  long z;
  int threads;
};

// Fields have one point more at each end of each axis.
void openmp_step(double const* now, double* next, LoopSize const& size, double lambda);
// By the threads that will compute.
void openmp_clear(double* field, LoopSize const& size);

}  // namespace makespan::bench
