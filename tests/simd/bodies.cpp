// SPDX-License-Identifier: Apache-2.0
#include "simd/bodies.hpp"

namespace makespan::simd {

std::vector<Bodies> const& all_bodies() {
  static std::vector<Bodies> const bodies = [] {
    std::vector<Bodies> all = vector_bodies();
    all.push_back(one_lane_bodies());
    return all;
  }();
  return bodies;
}

}  // namespace makespan::simd
