// SPDX-License-Identifier: Apache-2.0
#pragma once

// How long it takes until another core sees what one has written.

#include "makespan/base/quantity.hpp"

namespace makespan::machine {

// One way, of a cache line that two threads write in turn: half of a round trip, over
// rounds of 500 round trips for as long as `budget` says. The threads are tied to CPUs `a` and `b`,
// as the operating system calls them. 0 if it refuses that, at once, or if the other thread does
// not answer for `silence_max`. Blocks; callable from any thread. Tested by
// tests/machine/ping_pong_test.cpp.
[[nodiscard]] Seconds core_latency(int a, int b, Seconds budget,
                                   Seconds silence_max = Seconds{1.0});

}  // namespace makespan::machine
