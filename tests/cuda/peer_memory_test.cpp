// SPDX-License-Identifier: Apache-2.0
// Goal: a GPU's memory is reached by itself and by those that may; what cannot be opened is empty
// and leaves no error. Method: on a GPU; skipped without one.
#include "makespan/cuda/peer_memory.hpp"

#include <gtest/gtest.h>

#include "makespan/cuda/gpu.hpp"
#include "makespan/cuda/memory.hpp"
#include "makespan/cuda/stream.hpp"

namespace makespan::cuda {
namespace {

TEST(PeerMemory, of_a_gpu_is_reached_by_itself) {
  if (discover().gpus.empty()) GTEST_SKIP() << discover().why_none;
  use_gpu(0);
  EXPECT_TRUE(enable_peer_access(0, 0));
  for (int other = 1; other < static_cast<int>(discover().gpus.size()); ++other) {
    // Asked for again it is as it was.
    EXPECT_EQ(enable_peer_access(0, other), enable_peer_access(0, other));
  }
}

TEST(PeerMemory, is_not_opened_by_a_handle_of_nothing_or_of_this_process) {
  if (discover().gpus.empty()) GTEST_SKIP() << discover().why_none;
  use_gpu(0);
  EXPECT_EQ(open_memory({}), nullptr);
  Memory memory{MemorySpace::gpu};
  if (auto const handle = handle_of(memory.reserve(1 << 20))) {
    EXPECT_EQ(open_memory(*handle), nullptr);
  }
  // A later call is not told of what was refused.
  Stream stream;
  EXPECT_NO_THROW(stream.wait());
}

}  // namespace
}  // namespace makespan::cuda
