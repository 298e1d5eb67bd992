// SPDX-License-Identifier: Apache-2.0
// A thread that computes, and how much of its core it got.
#pragma once

#include <sched.h>

#include <chrono>
#include <cstdint>

namespace makespan::bench {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// This process, all its threads, on one core; false where that is not allowed.
inline bool pin_process(int core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  return sched_setaffinity(0, sizeof cores, &cores) == 0;
}

// About 20 µs of dependent additions: nothing of it waits for memory or for others.
inline double one_block(double value) {
  for (int step = 0; step < 20'000; ++step) value = value * 1.0000001 + 1e-9;
  return value;
}

// Computes for `seconds`; calls `between()` after each block. Blocks per second.
template <class Between>
double compute_for(double seconds, Between&& between) {
  auto const begin = Clock::now();
  std::int64_t blocks = 0;
  double value = 1.0;
  do {
    value = one_block(value);
    ++blocks;
    between();
  } while (seconds_since(begin) < seconds);
  double volatile sink = value;
  static_cast<void>(sink);
  return static_cast<double>(blocks) / seconds_since(begin);
}

}  // namespace makespan::bench
