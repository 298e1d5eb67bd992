// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace makespan::pgas {

// Sleeps for about as long as asked for. Linux may let a sleep end up to 50 µs late so that
// wake-ups come together (the thread's timer slack, PR_SET_TIMERSLACK of prctl(2)): 124 µs for 50
// asked for (virtual AMD EPYC 9004, 2026), and 74 without. The thread's slack is afterwards what it
// was. Tested by tests/pgas/progress/short_sleep_test.cpp.
void short_sleep(std::chrono::nanoseconds time);

}  // namespace makespan::pgas
