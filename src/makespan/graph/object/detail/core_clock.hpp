// SPDX-License-Identifier: Apache-2.0
#pragma once

// How long a thread has had its core, without a system call at each reading.

#include <algorithm>
#include <cstdint>
#include <optional>

#include "makespan/graph/object/load_clock.hpp"

namespace makespan::graph {

// The wall's time, less that in which the thread was stopped. A thread's CPU clock takes a system
// call to read, 20 times as long as the wall's. So it is asked only after a pause between two
// readings that is long enough to hold a stop worth the name. For one thread. Tested by
// tests/graph/object/core_clock_test.cpp.
template <class Clocks = ThreadClocks>
class CoreClock {
 public:
  explicit CoreClock(Clocks clocks = {}) : clocks_{clocks} {}

  // Never falls. The first reading is where the clock begins.
  [[nodiscard]] std::int64_t now_ns() {
    std::int64_t const wall_ns = clocks_.wall_ns();
    if (!checked_ || wall_ns - last_ns_ >= stop_ns) check(wall_ns);
    last_ns_ = wall_ns;
    return wall_ns - stopped_ns_;
  }

 private:
  struct Check {
    std::int64_t wall_ns;
    std::int64_t cpu_ns;
  };

  static constexpr std::int64_t stop_ns = 30'000;

  void check(std::int64_t wall_ns) {
    std::int64_t const cpu_ns = clocks_.cpu_ns();
    if (checked_) {
      std::int64_t const missing_ns = wall_ns - checked_->wall_ns - (cpu_ns - checked_->cpu_ns);
      // Clocks differ a little; and what is missing was missing since the last reading.
      stopped_ns_ += std::clamp<std::int64_t>(missing_ns, 0, wall_ns - last_ns_);
    }
    checked_ = Check{.wall_ns = wall_ns, .cpu_ns = cpu_ns};
  }

  Clocks clocks_;
  std::optional<Check> checked_{};
  std::int64_t last_ns_{0};
  std::int64_t stopped_ns_{0};
};

}  // namespace makespan::graph
