// SPDX-License-Identifier: Apache-2.0
// Goal: host and GPU see the same bytes at the same address, however often they take turns. Method:
// a GPU; skipped without one.
#include "makespan/cuda/shared_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>

#include "makespan/cuda/error.hpp"
#include "makespan/cuda/gpu.hpp"

namespace makespan::cuda {
namespace {

class CudaSharedMemory : public testing::Test {
 protected:
  void SetUp() override {
    if (discover().gpus.empty()) GTEST_SKIP() << discover().why_none;
    use_gpu(0);
  }
};

TEST_F(CudaSharedMemory, is_the_same_for_host_and_gpu) {
  constexpr std::size_t bytes = 9'000'001;
  Stream const stream;
  SharedMemory const from = allocate_shared(bytes);
  SharedMemory const to = allocate_shared(bytes);
  for (int round = 1; round <= 3; ++round) {
    std::fill_n(from.get(), bytes, static_cast<std::byte>(17 * round));
    bring_to_gpu(from.get(), bytes, 0, stream);
    bring_to_gpu(to.get(), bytes, 0, stream);
    stream.copy(to.get(), from.get(), bytes);
    stream.wait();

    EXPECT_EQ(std::count(to.get(), to.get() + bytes, static_cast<std::byte>(17 * round)),
              static_cast<std::ptrdiff_t>(bytes));
  }
}

TEST_F(CudaSharedMemory, says_how_much_there_is_no_room_for) {
  EXPECT_THROW(static_cast<void>(allocate_shared(std::size_t{1} << 60)), CudaFailed);
}

}  // namespace
}  // namespace makespan::cuda
