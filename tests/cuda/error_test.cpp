// SPDX-License-Identifier: Apache-2.0
// Goal: what the CUDA runtime says reaches people, with the call that it said it to. Method: its
// own numbers; no GPU is needed.
#include "makespan/cuda/error.hpp"

#include <gtest/gtest.h>

#include <string>

namespace makespan::cuda {
namespace {

constexpr int success = 0;
constexpr int out_of_memory = 2;  // cudaErrorMemoryAllocation

TEST(CudaError, names_the_call_and_what_went_wrong) {
  EXPECT_NO_THROW(check(success, "cudaMalloc"));
  try {
    check(out_of_memory, "3 MiB on the GPU");
    FAIL() << "nothing was thrown";
  } catch (CudaFailed const& error) {
#if defined(MAKESPAN_CHIPSTAR)
    EXPECT_EQ(std::string(error.what()), "3 MiB on the GPU: hipErrorOutOfMemory");
#else
    EXPECT_EQ(std::string(error.what()), "3 MiB on the GPU: out of memory");
#endif
  }
}

}  // namespace
}  // namespace makespan::cuda
