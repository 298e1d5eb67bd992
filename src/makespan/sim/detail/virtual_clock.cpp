// SPDX-License-Identifier: Apache-2.0
#include "makespan/sim/detail/virtual_clock.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace makespan::sim {

namespace {

using Duration = bag::TeamClock::Clock::duration;

// Looks that are no further apart than so many pauses are of one wait.
constexpr double one_wait = 8.0;
constexpr double share_of_wait = 1.0 / 8.0;

}  // namespace

bag::TeamClock::Clock::time_point VirtualClock::now() const {
  std::chrono::duration<double> const since_begin(time().value());
  return Clock::time_point(std::chrono::duration_cast<Duration>(since_begin));
}

void VirtualClock::sleep_until(Seconds time) {
  if (time > VirtualClock::time() + precision) simgrid::s4u::this_actor::sleep_until(time.value());
}

void VirtualClock::sleep(Duration pause) const {
  Seconds const shortest{std::chrono::duration<double>(pause).count()};
  Wait& wait = waits_[simgrid::s4u::this_actor::get_pid()];
  if (time() - wait.looked > shortest * one_wait) wait.since = time();
  // As of the end of the pause before: the look since then took time itself, and what changed
  // meanwhile it need not have seen.
  std::int64_t const seen = std::exchange(wait.seen, changes_);
  sleep_until(time() + shortest);
  // Nothing has changed, and another look would find the same: so looks come when something
  // changes, and not every half millisecond (docs/decisions/0075).
  if (changes_ == seen) {
    Seconds const longest = std::max((time() - wait.since) * share_of_wait, shortest);
    asleep_.push_back(&wait);
    wait.is_asleep = true;
    // True after a timeout. Left on the list it would be woken all the same, and that wake would
    // end its next wait at once.
    if (wait.wakes->acquire_timeout(longest.value())) {
      if (std::exchange(wait.is_asleep, false)) std::erase(asleep_, &wait);
    }
  }
  wait.seen = changes_;
  wait.looked = time();
}

void VirtualClock::note_change() {
  ++changes_;
  for (Wait* const wait : std::exchange(asleep_, {})) {
    wait->is_asleep = false;
    wait->wakes->release();
  }
}

}  // namespace makespan::sim
