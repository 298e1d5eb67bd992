// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a thread that waits does with its core. Pure: the caller has the clock.

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace makespan::pgas {

enum class Rest {
  spin,   // look again at once
  yield,  // to other threads; tell_yield() wants to know how long that took
  sleep,
};

// Of one thread, over all its waits.
//
// A thread that yields its core to one that waits too gets it back within microseconds; to one that
// computes, after milliseconds, and each yield puts it further behind (Linux 6.6 and later take its
// request for time as used up). One that sleeps gets the core when it wakes. So a yield that took
// long is the last for a while: until then a thread spins, and sleeps.
//
// It spins for longer than another thread sleeps. Two threads that answer each other at once, of
// which one sleeps, would otherwise sleep in turn for that while, each because the other does: a
// phase that takes 1 µs took 170.
class IdleCore {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Span = std::chrono::steady_clock::duration;

  // Idle rounds that spin without a look at the clock. A round with nothing to do takes 20 to
  // 100 ns, and an answer from another core comes within 1 µs.
  static constexpr std::int64_t rounds_spinning = 32;
  // How long it then spins where it does not yield: an answer over TCP takes 50 µs, and the
  // shortest sleep, with the way into it and out, 75 (virtual AMD EPYC 9004, 2026).
  static constexpr std::chrono::microseconds spinning{100};

  // Of a thread that has waited for `idle` without anything.
  [[nodiscard]] Rest choose(Time now, Span idle) const {
    if (now >= yields_from_) return idle < yielding ? Rest::yield : Rest::sleep;
    return idle < spinning ? Rest::spin : Rest::sleep;
  }

  // A thread sleeps for a hundredth of the time that it has waited, so that what comes late comes
  // at most that much later.
  [[nodiscard]] static Span time_to_sleep(Span idle) {
    return std::clamp<Span>(idle / 100, shortest_sleep, longest_sleep);
  }

  // A yield has begun and ended.
  void tell_yield(Time begin, Time end) {
    if (end - begin > long_yield) yields_from_ = end + without_yields;
  }

 private:
  // An image that is later than this is computing, and may need this core.
  static constexpr std::chrono::milliseconds yielding{20};
  static constexpr std::chrono::microseconds long_yield{20};
  static constexpr std::chrono::seconds without_yields{1};
  static constexpr std::chrono::microseconds shortest_sleep{50};
  static constexpr std::chrono::microseconds longest_sleep{1000};

  Time yields_from_{};
};

}  // namespace makespan::pgas
