// SPDX-License-Identifier: Apache-2.0
// The recursion on one lane: the oracle, and what runs where there are no vectors with fused
// multiply-add.
#include "makespan/simd/one_lane.hpp"
// (first: it says what the bodies are written in)
#include "makespan/apps/asian/recursion/detail/kernel_table-inl.hpp"
#include "makespan/apps/asian/recursion/detail/kernels.hpp"

namespace makespan::asian::recursion {

Kernels const& Kernels::one_lane_table() {
  static Kernels const kernels = one_lane::MakeKernels("one_lane");
  return kernels;
}

}  // namespace makespan::asian::recursion
