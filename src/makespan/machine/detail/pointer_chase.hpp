// SPDX-License-Identifier: Apache-2.0
#pragma once

// How long a load from memory takes that no cache has.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "makespan/base/quantity.hpp"

namespace makespan::machine {

// Bytes from one element of a cycle to the next in memory: two cache lines, since processors fetch
// them in pairs.
inline constexpr std::size_t chase_stride_bytes = 128;

// Writes a random cycle through all of `memory`: the first word of each stride holds the number of
// the stride that follows it, and from any one all are met before it is met again (Sattolo 1986).
// The same for the same size. At most 2^32 strides. Tested by tests/machine/pointer_chase_test.cpp.
void write_cycle(std::span<std::byte> memory);

// Time of one load: each needs the result of the one before, so none are under way together. The
// thread is tied to `cpu`; rounds of some milliseconds go on for as long as `budget` says. 0 if it
// cannot be tied.
[[nodiscard]] Seconds load_latency(std::span<std::byte const> cycle, int cpu, Seconds budget);

}  // namespace makespan::machine
