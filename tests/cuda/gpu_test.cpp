// SPDX-License-Identifier: Apache-2.0
// Goal: looking for GPUs gives some, or says why there are none, on any machine. Method: whatever
// this machine has.
#include "makespan/cuda/gpu.hpp"

#include <gtest/gtest.h>

namespace makespan::cuda {
namespace {

TEST(Gpu, is_there_or_it_is_said_why_not) {
  Discovery const& found = discover();

  EXPECT_NE(found.gpus.empty(), found.why_none.empty());
  if (found.gpus.empty()) {
    EXPECT_NE(found.why_none.find("CUDA"), std::string::npos) << found.why_none;
  }
  for (Gpu const& gpu : found.gpus) {
    EXPECT_FALSE(gpu.name.empty());
    EXPECT_EQ(gpu.bus.find(':'), gpu.bus.find_first_not_of("0123456789abcdefABCDEF"));
    EXPECT_GT(gpu.memory_bytes, 1 << 28);
    EXPECT_GT(gpu.multiprocessors, 0);
    EXPECT_EQ(gpu.lanes % gpu.multiprocessors, 0);
    EXPECT_GT(gpu.clock_hz, 1e8);
#if defined(MAKESPAN_CHIPSTAR)
    EXPECT_EQ(gpu.capability, 20);  // whatever the device
#else
    EXPECT_GE(gpu.capability, 50);
#endif
  }
}

TEST(Gpu, has_a_memory_rate_also_where_its_driver_does_not_say_it) {
  EXPECT_EQ(likely_memory_rate({.lanes = 16'896, .memory_rate = 3e12}), 3e12);
  EXPECT_EQ(likely_memory_rate({.lanes = 16'896}), 16'896 * 1e8);
  EXPECT_GT(likely_memory_rate({}), 0);
}

TEST(Gpu, is_looked_for_once) {
  EXPECT_EQ(&discover(), &discover());
}

}  // namespace
}  // namespace makespan::cuda
