// SPDX-License-Identifier: Apache-2.0
// The program's own clock_gettime() comes before that of the C library, and counts.
#include "bench/objects/clock_reads.hpp"

#include <dlfcn.h>
#include <time.h>

#include <atomic>

namespace {

using Function = int (*)(clockid_t, timespec*);

std::atomic<std::int64_t> reads{0};

Function library_function() {
  static auto const function = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "clock_gettime"));
  return function;
}

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* now) noexcept {
  if (clock == CLOCK_THREAD_CPUTIME_ID) reads.fetch_add(1, std::memory_order_relaxed);
  return library_function()(clock, now);
}

namespace makespan::bench {

std::int64_t cpu_clock_reads() {
  return reads.load(std::memory_order_relaxed);
}

}  // namespace makespan::bench
