// SPDX-License-Identifier: Apache-2.0
// Goal: the time of what a stream did, and of nothing else. Method: copies of different lengths on
// a GPU; skipped without one.
#include "makespan/cuda/stopwatch.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>

#include "makespan/cuda/gpu.hpp"
#include "makespan/cuda/memory.hpp"

namespace makespan::cuda {
namespace {

TEST(CudaStopwatch, measures_what_is_between) {
  if (discover().gpus.empty()) GTEST_SKIP() << discover().why_none;
  use_gpu(0);
  constexpr std::size_t bytes = std::size_t{256} << 20;
  Memory from(MemorySpace::gpu);
  Memory to(MemorySpace::gpu);
  from.reserve(bytes);
  to.reserve(bytes);
  Stream const stream;
  Stopwatch const watch;
  auto const begin = std::chrono::steady_clock::now();
  auto const time_of = [&](int copies) {
    watch.start(stream);
    for (int i = 0; i < copies; ++i) stream.copy(to.data(), from.data(), bytes);
    watch.stop(stream);
    stream.wait();
    return watch.time();
  };
  Seconds const few = time_of(2);
  Seconds const many = time_of(40);
  std::chrono::duration<double> const all = std::chrono::steady_clock::now() - begin;

  EXPECT_GT(few, Seconds{0.0});
  EXPECT_GT(many, few);
  EXPECT_LT((few + many).value(), all.count());
}

}  // namespace
}  // namespace makespan::cuda
