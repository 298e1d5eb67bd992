// SPDX-License-Identifier: Apache-2.0
#pragma once

// Messages under way: from hop to hop, behind each other on links and at hosts.

#include <cstdint>
#include <vector>

#include "makespan/sim/grids/detail/event_queue.hpp"
#include "makespan/sim/grids/detail/link_queue.hpp"
#include "makespan/sim/grids/detail/message_way.hpp"

namespace makespan::sim {

// Tested through tests/sim/grids/grid_simulation_test.cpp.
class HaloFlight {
 public:
  HaloFlight(GridJob const& job, GridRoster const& roster, MessageWays const& ways,
             GridEventQueue& events);

  // Of messages that are laid anew: by number.
  void take(std::vector<MessageWay> ways) { ways_ = std::move(ways); }
  [[nodiscard]] MessageWay const& way(int message) const {
    return ways_[static_cast<std::size_t>(message)];
  }

  // A message leaves its device: its first byte at `first`, the last one at `last`.
  void send(int message, std::int64_t exchange, Seconds first, Seconds last) {
    go_on(message, 0, exchange, first, last);
  }
  // The event of a hop.
  void pass(GridEvent const& event);

 private:
  void go_on(int message, int hop, std::int64_t exchange, Seconds first, Seconds last);
  [[nodiscard]] LinkQueue& link(int number) { return links_[static_cast<std::size_t>(number)]; }

  GridEventQueue& events_;
  std::vector<LinkQueue> links_{};
  std::vector<Seconds> hosts_busy_;  // by image: until when
  std::vector<MessageWay> ways_{};   // by message
};

}  // namespace makespan::sim
