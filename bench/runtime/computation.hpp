// SPDX-License-Identifier: Apache-2.0
#pragma once
// Work that does not call the runtime: what an image does while others use its memory.

#include <cstdint>

#include "clock.hpp"
#include "optimizer_barrier.hpp"

namespace makespan::bench {

// Twenty thousand multiplications and additions, each waiting for the one before: some 40 µs, the
// same on every call.
inline void compute_unit() {
  double value = 1.0;
  for (int step = 0; step < 20'000; ++step) value = value * 1.0000001 + 1e-9;
  keep(value);
}

// For at least so long [s]; returns units per second.
inline double compute_for(double seconds) {
  double const begin_s = now_s();
  std::int64_t units = 0;
  double elapsed_s = 0.0;
  do {
    compute_unit();
    ++units;
    elapsed_s = now_s() - begin_s;
  } while (elapsed_s < seconds);
  return static_cast<double>(units) / elapsed_s;
}

}  // namespace makespan::bench
