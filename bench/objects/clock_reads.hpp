// SPDX-License-Identifier: Apache-2.0
#pragma once

// How often this process reads a thread's CPU clock, which is a system call and most of what
// measuring loads costs.

#include <cstdint>

namespace makespan::bench {

// Since the program began, of all threads.
[[nodiscard]] std::int64_t cpu_clock_reads();

}  // namespace makespan::bench
