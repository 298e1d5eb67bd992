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
// wall none (24 ns; a charge takes 31 with all that is done for it, a spell of one handler 59). So
// handlers are timed by the wall, with one reading each, where one ends and the next begins; every
// so often the CPU clock is read, and closes an *interval*. What the CPU has less than the wall is
// when the thread was stopped, by others that want its core or by itself. A stop makes long the
// handler that it fell into: what is missing is taken from the longest handler of the interval, and
// what that does not have from all in proportion.
//
// Pauses between short spells are part of the interval, since two system calls for each message
// would be dear; what is missing is taken from them first. A spell that was busy for longer closes
// its interval, so that no pause can hide a stop worth the name.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

#include "makespan/base/contracts.hpp"

namespace makespan::graph {

// The clocks of the calling thread [ns], or of a simulated world, in which no thread is stopped.
struct ThreadClocks {
  std::int64_t const* simulated_ns{nullptr};  // null: the machine's

  [[nodiscard]] std::int64_t wall_ns() const {
    if (simulated_ns != nullptr) return *simulated_ns;
    auto const since = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
  }
  // A system call. Throws std::system_error where there is no such clock.
  [[nodiscard]] std::int64_t cpu_ns() const;
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
  std::int64_t ns{0};
};

// Takes what the thread was stopped from what it did: from pauses, then from the longest handler,
// then from all in proportion; never below 0.
void take_stop(std::span<TimedHandler> handlers, std::int64_t stopped_ns);

// Of one thread, which alone calls it. Allocates nothing. A slot is added to when its interval is
// closed, so it must stay where it is until settle() or end_phase(). Tested by
// tests/graph/object/load_clock_test.cpp.
template <class Clocks = ThreadClocks>
class LoadClock {
 public:
  // Handlers in an interval at most: with more it is closed. 4 KiB.
  static constexpr std::size_t handlers_max = 256;

  explicit LoadClock(LoadClockOptions const& options = {}, Clocks clocks = {})
      : options_{options}, clocks_{clocks} {}

  // Time from here on belongs to the next charge. One reading of the wall, and of the CPU after an
  // interval that is closed.
  void begin_spell() {
    MAKESPAN_EXPECT(!is_in_spell_);
    is_in_spell_ = true;
    std::int64_t const now_ns = clocks_.wall_ns();
    if (!is_open_) {
      open(now_ns, clocks_.cpu_ns());
      return;
    }
    add(nullptr, now_ns);
  }

  // The time since the last charge, or the beginning of the spell, was this object's. One reading
  // of the wall, and of the CPU where the interval is over. Only within a spell.
  void charge(double& cpu_s) {
    MAKESPAN_EXPECT(is_in_spell_);
    std::int64_t const now_ns = clocks_.wall_ns();
    busy_ns_ += now_ns - last_ns_;
    add(&cpu_s, now_ns);
  }

  // The time since the last charge, and until the next begin_spell(), is charged to no object.
  void end_spell() {
    MAKESPAN_EXPECT(is_in_spell_);
    is_in_spell_ = false;
    if (busy_ns_ >= options_.pause_ns) settle();
  }

  // Everything charged so far is in its slot. Before objects leave, and before a thread sleeps;
  // only between spells.
  void settle() {
    MAKESPAN_EXPECT(!is_in_spell_);
    if (is_open_) close(clocks_.cpu_ns());
    is_open_ = false;
  }

  // Of handlers since the last end_phase(); what the thread was stopped in an interval that is
  // open, which is shorter than `pause_ns`, is not known yet. Reads no clock. Only between spells.
  [[nodiscard]] PlaceTimes so_far() const {
    MAKESPAN_EXPECT(!is_in_spell_);
    double const open_s = is_open_ ? 1e-9 * static_cast<double>(busy_ns_) : 0.0;
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
  void open(std::int64_t wall_ns, std::int64_t cpu_ns) {
    is_open_ = true;
    count_ = 0;
    busy_ns_ = 0;
    begin_ns_ = wall_ns;
    last_ns_ = wall_ns;
    begin_cpu_ns_ = cpu_ns;
  }

  void add(double* cpu_s, std::int64_t now_ns) {
    handlers_[count_++] = {cpu_s, now_ns - last_ns_};
    last_ns_ = now_ns;
    if (count_ < handlers_max && now_ns - begin_ns_ < options_.interval_ns) return;
    std::int64_t const cpu_ns = clocks_.cpu_ns();
    close(cpu_ns);
    open(now_ns, cpu_ns);
  }

  void close(std::int64_t cpu_ns) {
    auto const handlers = std::span(handlers_).first(count_);
    std::int64_t const stopped_ns = last_ns_ - begin_ns_ - (cpu_ns - begin_cpu_ns_);
    if (stopped_ns > options_.stop_ns) take_stop(handlers, stopped_ns);
    for (TimedHandler const& handler : handlers) {
      if (handler.cpu_s == nullptr) continue;
      double const seconds = 1e-9 * static_cast<double>(handler.ns);
      *handler.cpu_s += seconds;
      phase_.cpu_s += seconds;
    }
    phase_.wall_s += 1e-9 * static_cast<double>(busy_ns_);
  }

  LoadClockOptions options_;
  Clocks clocks_;
  bool is_in_spell_{false};
  bool is_open_{false};
  std::size_t count_{0};          // of handlers_, below handlers_max
  std::int64_t begin_ns_{0};      // of the interval
  std::int64_t begin_cpu_ns_{0};  // of the interval, on the CPU's clock
  std::int64_t last_ns_{0};       // when the last handler or pause ended
  std::int64_t busy_ns_{0};       // in the interval, on the wall, without pauses
  PlaceTimes phase_{};            // so far, of closed intervals
  std::array<TimedHandler, handlers_max> handlers_{};
};

}  // namespace makespan::graph
