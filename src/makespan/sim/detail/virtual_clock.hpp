// SPDX-License-Identifier: Apache-2.0
#pragma once

// The simulation's time, and waiting in it.

#include <cstdint>
#include <simgrid/s4u.hpp>
#include <unordered_map>
#include <vector>

#include "makespan/bag/team_clock.hpp"
#include "makespan/base/quantity.hpp"

namespace makespan::sim {

// A waiting worker looks again when something has changed, and not sooner than it asked for: looks
// that find nothing new would be most of a simulation's work. If nothing changes, it looks after an
// eighth of the time that it has waited for.
class VirtualClock final : public bag::TeamClock {
 public:
  [[nodiscard]] Clock::time_point now() const override;
  void sleep(Clock::duration time) const override;

  [[nodiscard]] static Seconds time() { return Seconds{simgrid::s4u::Engine::get_clock()}; }
  // Times that are no further apart are one to SimGrid.
  static constexpr Seconds precision{2e-9};
  // Of the calling actor.
  static void sleep_until(Seconds time);

  // Wakes the workers that wait: they may find something now.
  void note_change();

 private:
  // One look after the other, of an actor.
  struct Wait {
    simgrid::s4u::SemaphorePtr wakes{simgrid::s4u::Semaphore::create(0)};
    Seconds since{};
    Seconds looked{};  // for the last time
    std::int64_t seen{0};
    bool is_asleep{false};
  };

  mutable std::int64_t changes_{0};
  mutable std::unordered_map<aid_t, Wait> waits_{};  // by actor
  mutable std::vector<Wait*> asleep_{};
};

}  // namespace makespan::sim
