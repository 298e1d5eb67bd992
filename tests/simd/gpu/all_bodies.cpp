// SPDX-License-Identifier: Apache-2.0
// In place of bodies.cpp in the program simd_gpu, which is skipped where there is no GPU.
#include <gtest/gtest.h>

#include "makespan/cuda/gpu.hpp"
#include "simd/bodies.hpp"

namespace makespan::simd {

namespace {

class NeedsGpu final : public testing::Environment {
 public:
  void SetUp() override {
    if (cuda::discover().gpus.empty()) GTEST_SKIP() << cuda::discover().why_none;
  }
};

[[maybe_unused]] testing::Environment* const needs_gpu =
    testing::AddGlobalTestEnvironment(new NeedsGpu);

}  // namespace

std::vector<Bodies> const& all_bodies() {
  static std::vector<Bodies> const bodies{gpu_bodies(), one_lane_bodies()};
  return bodies;
}

}  // namespace makespan::simd
