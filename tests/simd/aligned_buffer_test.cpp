// SPDX-License-Identifier: Apache-2.0
// Goal: memory starts on a cache line however it grew, and does not move when it need not.
#include "makespan/simd/aligned_buffer.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <new>

namespace makespan::simd {
namespace {

TEST(AlignedBuffer, starts_every_size_on_a_cache_line) {
  AlignedBuffer<double> buffer;

  for (std::size_t const count : {1UL, 7UL, 65UL, 4097UL, 1'000'003UL}) {
    double* const memory = buffer.reserve(count);
    memory[0] = 1;
    memory[count - 1] = 2;  // the address sanitizer sees a short one
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 64, 0U) << count;
    EXPECT_EQ(buffer.data(), memory);
  }
}

TEST(AlignedBuffer, stays_where_it_is_when_less_is_asked_for) {
  AlignedBuffer<float> buffer;
  float* const memory = buffer.reserve(1000);
  memory[999] = 3;

  EXPECT_EQ(buffer.reserve(10), memory);
  EXPECT_EQ(buffer.reserve(1000), memory);
  EXPECT_EQ(memory[999], 3);
}

// Sanitizers end the program where there is no memory.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(AlignedBuffer, has_memory_again_after_there_was_none) {
  AlignedBuffer<double> buffer;
  buffer.reserve(1000);
  EXPECT_THROW(buffer.reserve(std::size_t{1} << 58), std::bad_alloc);

  double* const memory = buffer.reserve(10);
  ASSERT_NE(memory, nullptr);
  memory[9] = 1;
}
#endif

TEST(AlignedBuffer, holds_nothing_at_first) {
  AlignedBuffer<float> buffer;

  EXPECT_EQ(buffer.data(), nullptr);
}

}  // namespace
}  // namespace makespan::simd
