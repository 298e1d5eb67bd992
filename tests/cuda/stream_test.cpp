// SPDX-License-Identifier: Apache-2.0
// Goal: what is carried to a GPU and back is what it was, in order, on streams that do not wait for
// each other. Method: a GPU; skipped without one.
#include "makespan/cuda/stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "makespan/cuda/error.hpp"
#include "makespan/cuda/gpu.hpp"
#include "makespan/cuda/memory.hpp"

namespace makespan::cuda {
namespace {

class CudaStream : public testing::Test {
 protected:
  void SetUp() override {
    if (discover().gpus.empty()) GTEST_SKIP() << discover().why_none;
    use_gpu(0);
  }
};

TEST_F(CudaStream, carries_bytes_there_and_back) {
  for (std::size_t const bytes : {std::size_t{1}, std::size_t{4097}, std::size_t{50'000'000}}) {
    Stream const stream;
    Memory gpu(MemorySpace::gpu);
    Memory there(MemorySpace::pinned);
    Memory back(MemorySpace::pinned);
    std::byte* const out = there.reserve(bytes);
    for (std::size_t i = 0; i < bytes; ++i) out[i] = static_cast<std::byte>(i * 31 + 7);
    std::memset(back.reserve(bytes), 0, bytes);

    stream.upload(gpu.reserve(bytes), out, bytes);
    stream.download(back.data(), gpu.data(), bytes);
    stream.wait();
    EXPECT_TRUE(stream.is_done());

    EXPECT_EQ(std::memcmp(back.data(), out, bytes), 0) << bytes;
  }
}

TEST_F(CudaStream, tells_what_went_wrong) {
  Stream const stream;
  Memory gpu(MemorySpace::gpu);
  std::byte byte{};

  EXPECT_THROW(stream.upload(gpu.reserve(16), nullptr, 16), CudaFailed);
  EXPECT_NO_THROW(stream.upload(gpu.data(), &byte, 1));
  EXPECT_NO_THROW(stream.wait());
}

}  // namespace
}  // namespace makespan::cuda
