// SPDX-License-Identifier: Apache-2.0
// Goal: memory of the host is pinned as long as a token of it lives, also where several ask for it.
// Method: a GPU that copies there; skipped without one, and where nothing can be pinned.
#include "makespan/cuda/pinned_host.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "makespan/cuda/gpu.hpp"
#include "makespan/cuda/memory.hpp"
#include "makespan/cuda/stream.hpp"

namespace makespan::cuda {
namespace {

class CudaPinnedHost : public testing::Test {
 protected:
  void SetUp() override {
    if (discover().gpus.empty()) GTEST_SKIP() << discover().why_none;
    use_gpu(0);
    token_ = pinned(host_);
    if (!token_) GTEST_SKIP() << "memory that was taken elsewhere cannot be pinned here";
  }

  std::vector<std::byte> host_ = std::vector<std::byte>(1'000'000);
  std::shared_ptr<void> token_;
};

TEST_F(CudaPinnedHost, has_one_token_for_all_who_ask) {
  EXPECT_EQ(pinned(host_), token_);
  token_.reset();
  // It is no longer: another token, and no refusal.
  EXPECT_NE(pinned(host_), nullptr);
}

// Part of what is pinned has no token of its own, nor that of the whole.
TEST_F(CudaPinnedHost, has_no_token_for_another_length) {
  EXPECT_EQ(pinned(std::span(host_).first(4096)), nullptr);
}

TEST_F(CudaPinnedHost, is_reached_from_the_gpu) {
  Stream const stream;
  Memory memory(MemorySpace::gpu);
  std::vector<std::byte> const values(host_.size(), std::byte{17});
  stream.upload(memory.reserve(values.size()), values.data(), values.size());
  stream.copy(host_.data(), memory.data(), values.size());
  stream.wait();
  EXPECT_EQ(host_, values);
}

TEST_F(CudaPinnedHost, may_be_refused) {
  EXPECT_EQ(pinned({static_cast<std::byte*>(nullptr), 4096}), nullptr);
  // No later call is told of it.
  Stream().wait();
}

}  // namespace
}  // namespace makespan::cuda
