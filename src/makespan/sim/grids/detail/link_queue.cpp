// SPDX-License-Identifier: Apache-2.0
#include "makespan/sim/grids/detail/link_queue.hpp"

#include <algorithm>

namespace makespan::sim {

Seconds LinkQueue::pass(Seconds first, Seconds last, double bytes) {
  booked_ = std::max(booked_, first) + Seconds{bytes / model_.bandwidth};
  // `booked_` advances at the bandwidth; what passes may be a burst ahead of it.
  Seconds const ahead{model_.burst > 0.0 ? model_.burst / model_.bandwidth : 0.0};
  return std::max({last, booked_ - ahead, first + Seconds{bytes / model_.message_bandwidth}});
}

}  // namespace makespan::sim
