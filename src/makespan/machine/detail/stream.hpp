// SPDX-License-Identifier: Apache-2.0
#pragma once

// How many bytes a second some cores read and write together, in memory too large for caches.
//
// Source: McCalpin, STREAM (https://www.cs.virginia.edu/stream/ref.html): bytes are counted as
// there, those that are read and those that are written, without what a cache fetches to write.

#include <cstddef>
#include <span>
#include <vector>

#include "makespan/base/quantity.hpp"

namespace makespan::machine {

// In bytes per second; 0 where the threads could not be tied to their CPUs.
struct Bandwidth {
  double copy{0.0};   // a = b, by the C library
  double triad{0.0};  // a = b + s c, of doubles
};

// One thread on each of `cpus` works on its part of `memory`, which is divided into a, b and c; a
// round, some milliseconds, ends with the last of them. Half of `budget` each. `memory` is written
// to. Tested by tests/machine/stream_test.cpp.
[[nodiscard]] Bandwidth stream_bandwidth(std::span<std::byte> memory, std::vector<int> const& cpus,
                                         Seconds budget);

}  // namespace makespan::machine
