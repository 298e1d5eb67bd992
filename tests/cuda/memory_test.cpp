// SPDX-License-Identifier: Apache-2.0
// Goal: memory grows when it is asked for more, and what cannot be had is told in a way that leaves
// the GPU usable. Method: a GPU; skipped without one.
#include "makespan/cuda/memory.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include "makespan/cuda/error.hpp"
#include "makespan/cuda/gpu.hpp"

namespace makespan::cuda {
namespace {

class CudaMemory : public testing::TestWithParam<MemorySpace> {
 protected:
  void SetUp() override {
    if (discover().gpus.empty()) GTEST_SKIP() << discover().why_none;
    use_gpu(0);
  }
};

INSTANTIATE_TEST_SUITE_P(EverySpace, CudaMemory,
                         testing::Values(MemorySpace::gpu, MemorySpace::pinned));

TEST_P(CudaMemory, grows_and_stays) {
  Memory memory(GetParam());
  EXPECT_EQ(memory.data(), nullptr);
  std::byte* const first = memory.reserve(1000);

  EXPECT_NE(first, nullptr);
#if defined(MAKESPAN_CHIPSTAR)
  constexpr std::uintptr_t alignment = 128;  // OpenCL's, of its largest vector
#else
  constexpr std::uintptr_t alignment = 256;
#endif
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % alignment, 0U);
  EXPECT_EQ(memory.reserve(10), first);
  EXPECT_NE(memory.reserve(100'000'000), nullptr);
  EXPECT_EQ(memory.reserve(1000), memory.data());
}

TEST_P(CudaMemory, says_how_much_there_is_no_room_for) {
  Memory memory(GetParam());
  std::size_t const far_too_much = std::size_t{1} << 50U;

  EXPECT_THROW(memory.reserve(far_too_much), CudaFailed);
  EXPECT_EQ(memory.data(), nullptr);
  EXPECT_NE(memory.reserve(1000), nullptr);
}

}  // namespace
}  // namespace makespan::cuda
