// SPDX-License-Identifier: Apache-2.0
#pragma once

// The CPU time of each object of a place, from the times at which its handlers end.
//
//   clock.begin_spell();           // there is something to do
//   handle(a); clock.charge(a.cpu_s);
//   handle(b); clock.charge(b.cpu_s);
//   clock.end_spell();             // nothing any more, for now
//   ...
//   PlaceTimes const times = clock.end_phase();
//
// A thread's CPU clock takes a system call to read (545 ns on a virtual AMD EPYC), a clock on the
// wall none (24 ns), and the processor's counter of ticks (x86's TSC, Arm's CNTVCT) one instruction
// (10 ns). So handlers are timed in ticks, with one reading each, where one ends and the next
// begins; every so often the clocks are read, say how long a tick was, and close an *interval*.
// What the CPU has less than the wall is when the thread was stopped, by others that want its core
// or by itself. A stop makes long the handler that it fell into: what is missing is taken from the
// longest handler of the interval, and what that does not have from all in proportion.
//
// Pauses between short spells are part of the interval, since two system calls for each message
// would be dear; what is missing is taken from them first. A spell that was busy for longer closes
// its interval, so that no pause can hide a stop worth the name.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "makespan/base/contracts.hpp"

namespace makespan::graph {

// The clocks of the calling thread [ns], or of a simulated world, in which no thread is stopped.
// There a tick is a nanosecond.
struct ThreadClocks {
  std::int64_t const* simulated_ns{nullptr};  // null: the machine's

  [[nodiscard]] std::int64_t wall_ns() const {
    if (simulated_ns != nullptr) return *simulated_ns;
    auto const since = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
  }
  // A system call. Throws std::system_error where there is no such clock.
  [[nodiscard]] std::int64_t cpu_ns() const;

  // Of the processor's counter, which goes on while the thread is stopped.
  [[nodiscard]] std::int64_t ticks() const {
    if (simulated_ns != nullptr) return *simulated_ns;
#if defined(__x86_64__)
    return static_cast<std::int64_t>(__builtin_ia32_rdtsc());
#elif defined(__aarch64__)
    std::int64_t count = 0;
    asm volatile("mrs %0, cntvct_el0" : "=r"(count));
    return count;
#else
    return wall_ns();
#endif
  }
  // About; measured once in a process, in 100 µs.
  [[nodiscard]] double ns_per_tick() const;
};

// Of a phase, of the handlers of one place, without pauses [s]. The place had its core for the part
// cpu_s / wall_s of the time.
struct PlaceTimes {
  double wall_s{0.0};
  double cpu_s{0.0};
};

struct LoadClockOptions {
  std::int64_t interval_ns{200'000};  // an interval is closed when it is as long as that
  std::int64_t pause_ns{20'000};      // or at the end of a spell, when it was busy for so long
  std::int64_t stop_ns{5'000};        // what is missing less than that is taken for clocks' noise
};

// One handler, or pause, in an interval.
struct TimedHandler {
  double* cpu_s{nullptr};  // of its object; a pause has none
  double ns{0.0};          // ticks, until the interval is closed
};

// Takes what the thread was stopped from what it did: from pauses, then from the longest handler,
// then from all in proportion. A handler of an object keeps a nanosecond of what it had.
void take_stop(std::span<TimedHandler> handlers, double stopped_ns);

// Of one thread, which alone calls it. Allocates nothing. A slot is added to when its interval is
// closed, so it must stay where it is until settle() or end_phase(). Tested by
// tests/graph/object/load_clock_test.cpp.
template <class Clocks = ThreadClocks>
class LoadClock {
 public:
  // Handlers in an interval at most: with more it is closed. 4 KiB.
  static constexpr std::size_t handlers_max = 256;

  explicit LoadClock(LoadClockOptions const& options = {}, Clocks clocks = {})
      : options_{options}, clocks_{clocks}, ns_per_tick_{clocks.ns_per_tick()} {}

  // Time from here on belongs to the next charge. One reading of ticks, and of wall and CPU after
  // an interval that is closed.
  void begin_spell() {
    MAKESPAN_EXPECT(!is_in_spell_);
    is_in_spell_ = true;
    std::int64_t const now = clocks_.ticks();
    if (!is_open_) {
      open(moment_at(now));
      return;
    }
    add(nullptr, now);
  }

  // The time since the last charge, or the beginning of the spell, was this object's. One reading
  // of ticks, and of wall and CPU where the interval is over. Only within a spell.
  void charge(double& cpu_s) {
    MAKESPAN_EXPECT(is_in_spell_);
    std::int64_t const now = clocks_.ticks();
    busy_ += std::max<std::int64_t>(0, now - last_);
    add(&cpu_s, now);
  }

  // The time since the last charge, and until the next begin_spell(), is charged to no object.
  void end_spell() {
    MAKESPAN_EXPECT(is_in_spell_);
    is_in_spell_ = false;
    if (in_ns(busy_) >= static_cast<double>(options_.pause_ns)) settle();
  }

  // Everything charged so far is in its slot. Before objects leave, and before a thread sleeps;
  // only between spells.
  void settle() {
    MAKESPAN_EXPECT(!is_in_spell_);
    if (is_open_) close(moment_at(clocks_.ticks()));
    is_open_ = false;
  }

  // Of handlers since the last end_phase(); what the thread was stopped in an interval that is
  // open, which is shorter than `pause_ns`, is not known yet. Reads no clock. Only between spells.
  [[nodiscard]] PlaceTimes so_far() const {
    MAKESPAN_EXPECT(!is_in_spell_);
    double const open_s = is_open_ ? 1e-9 * in_ns(busy_) : 0.0;
    return {.wall_s = phase_.wall_s + open_s, .cpu_s = phase_.cpu_s + open_s};
  }

  // Settles; the times of handlers since the last such call.
  [[nodiscard]] PlaceTimes end_phase() {
    settle();
    PlaceTimes const times = phase_;
    phase_ = {};
    return times;
  }

 private:
  // All clocks at one moment.
  struct Moment {
    std::int64_t ticks{0};
    std::int64_t wall_ns{0};
    std::int64_t cpu_ns{0};
  };

  [[nodiscard]] Moment moment_at(std::int64_t ticks) {
    Moment const now{.ticks = ticks, .wall_ns = clocks_.wall_ns(), .cpu_ns = clocks_.cpu_ns()};
    compare(now, clocks_.ticks());
    return now;
  }
  // Learns how long a tick is, from all that has passed since the first such comparison; unless the
  // thread may have been stopped between the readings.
  void compare(Moment const& now, std::int64_t ticks_after) {
    if (in_ns(ticks_after - now.ticks) > static_cast<double>(options_.stop_ns)) return;
    if (!first_) first_ = now;
    std::int64_t const wall_ns = now.wall_ns - first_->wall_ns;
    std::int64_t const ticks = now.ticks - first_->ticks;
    if (ticks <= 0 || wall_ns < compared_from_ns) return;
    ns_per_tick_ = static_cast<double>(wall_ns) / static_cast<double>(ticks);
  }
  [[nodiscard]] double in_ns(std::int64_t ticks) const {
    return static_cast<double>(ticks) * ns_per_tick_;
  }

  void open(Moment const& now) {
    is_open_ = true;
    count_ = 0;
    busy_ = 0;
    begin_ = now;
    last_ = now.ticks;
    interval_ = static_cast<std::int64_t>(static_cast<double>(options_.interval_ns) / ns_per_tick_);
  }

  void add(double* cpu_s, std::int64_t now) {
    // Counters of two cores may differ a little where the thread has changed cores.
    handlers_[count_++] = {cpu_s, static_cast<double>(std::max<std::int64_t>(0, now - last_))};
    last_ = now;
    if (count_ < handlers_max && now - begin_.ticks < interval_) return;
    Moment const moment = moment_at(now);
    close(moment);
    open(moment);
  }

  void close(Moment const& end) {
    auto const handlers = std::span(handlers_).first(count_);
    for (TimedHandler& handler : handlers) handler.ns *= ns_per_tick_;
    double const stopped_ns =
        in_ns(last_ - begin_.ticks) - static_cast<double>(end.cpu_ns - begin_.cpu_ns);
    if (stopped_ns > static_cast<double>(options_.stop_ns)) take_stop(handlers, stopped_ns);
    for (TimedHandler const& handler : handlers) {
      if (handler.cpu_s == nullptr) continue;
      double const seconds = 1e-9 * handler.ns;
      *handler.cpu_s += seconds;
      phase_.cpu_s += seconds;
    }
    phase_.wall_s += 1e-9 * in_ns(busy_);
  }

  // In less the readings, some 0.6 µs apart with the CPU's, tell too little.
  static constexpr std::int64_t compared_from_ns = 1'000'000;

  LoadClockOptions options_;
  Clocks clocks_;
  double ns_per_tick_;
  std::optional<Moment> first_{};
  bool is_in_spell_{false};
  bool is_open_{false};
  std::size_t count_{0};      // of handlers_, below handlers_max
  Moment begin_{};            // of the interval
  std::int64_t interval_{0};  // its length, in ticks
  std::int64_t last_{0};      // when the last handler or pause ended, in ticks
  std::int64_t busy_{0};      // in the interval, without pauses, in ticks
  PlaceTimes phase_{};        // so far, of closed intervals
  std::array<TimedHandler, handlers_max> handlers_{};
};

}  // namespace makespan::graph
