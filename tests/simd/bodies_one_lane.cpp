// SPDX-License-Identifier: Apache-2.0
#include "makespan/simd/one_lane.hpp"
// (first: it says what the bodies are written in)
#include "simd/body_table-inl.hpp"

namespace makespan::simd {

Bodies one_lane_bodies() {
  return one_lane::MakeKernels("one_lane");
}

}  // namespace makespan::simd
