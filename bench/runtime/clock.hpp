// SPDX-License-Identifier: Apache-2.0
#pragma once
// Time, naps, cores and medians of a bench.

#include <sched.h>
#include <sys/prctl.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <system_error>
#include <vector>

namespace makespan::bench {

inline double now_s() {
  auto const since_start = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(since_start).count();
}

// What each of `operations` calls of `operate` takes, in seconds.
template <class Operate>
double seconds_of_each(int operations, Operate const& operate) {
  double const begin_s = now_s();
  for (int operation = 0; operation < operations; ++operation) operate();
  return (now_s() - begin_s) / operations;
}

inline void nap_us(long microseconds) {
  std::timespec const length{.tv_sec = 0, .tv_nsec = microseconds * 1000};
  nanosleep(&length, nullptr);
}

// Naps of this thread, and of those that it starts, end within a microsecond instead of fifty.
inline void want_exact_naps() {
  prctl(PR_SET_TIMERSLACK, 1000UL);
}

// This thread, and those that it starts, on the core with this number among those that we may use.
inline void pin_to_core(int number) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
    throw std::system_error{errno, std::generic_category(), "sched_getaffinity"};
  }
  int const skipped = number % CPU_COUNT(&allowed);
  std::size_t core = 0;
  for (int passed = -1;; ++core) {
    if (CPU_ISSET(core, &allowed) && ++passed == skipped) break;
  }
  cpu_set_t chosen;
  CPU_ZERO(&chosen);
  CPU_SET(core, &chosen);
  if (sched_setaffinity(0, sizeof chosen, &chosen) != 0) {
    throw std::system_error{errno, std::generic_category(), "sched_setaffinity"};
  }
}

// 0 of nothing.
inline double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

}  // namespace makespan::bench
