// SPDX-License-Identifier: Apache-2.0
#pragma once

// One number from many short rounds of the same work on a machine that others use, too.

#include <chrono>
#include <concepts>

#include "makespan/base/quantity.hpp"

namespace makespan::machine {

// The shortest of at least `rounds_min` rounds, and as many as begin within `budget`. What disturbs
// a round (interrupts, other programs, other guests of the hardware) only makes it longer, so the
// shortest of many is the one that comes back in the next measurement. `round` returns its own
// time; one of 0 was given up, and ends it.
template <std::invocable Round>
[[nodiscard]] Seconds shortest_round(Seconds budget, int rounds_min, Round&& round) {
  using Clock = std::chrono::steady_clock;
  auto const end = Clock::now() + std::chrono::duration<double>(budget.value());
  Seconds shortest{};
  for (int done = 0; done < rounds_min || Clock::now() < end; ++done) {
    Seconds const time = round();
    if (time <= Seconds{}) break;
    if (done == 0 || time < shortest) shortest = time;
  }
  return shortest;
}

}  // namespace makespan::machine
