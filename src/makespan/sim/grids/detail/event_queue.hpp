// SPDX-License-Identifier: Apache-2.0
#pragma once

// Events in virtual time.

#include <cstdint>
#include <queue>
#include <vector>

#include "makespan/base/quantity.hpp"

namespace makespan::sim {

enum class GridEventKind : std::uint8_t {
  device,   // is through with what it was at
  hop,      // a message is at one of its hops
  arrival,  // a message is where it belongs
};

struct GridEvent {
  Seconds time{};
  std::uint64_t number{};  // in the order in which they were asked for
  GridEventKind kind{};
  int hop{};
  int subject{};       // a device, or a message
  std::int64_t tag{};  // of a device: whether the event still counts; of a message: its exchange
  Seconds first{};     // when the message's first byte is there
  Seconds last{};      // and its last one
};

// Those of the same time in the order in which they were asked for, so that runs repeat to the last
// bit. Tested by tests/sim/grids/event_queue_test.cpp.
class GridEventQueue {
 public:
  void push(GridEvent event) {
    event.number = pushed_++;
    events_.push(event);
  }
  [[nodiscard]] bool is_empty() const { return events_.empty(); }
  GridEvent pop() {
    GridEvent const event = events_.top();
    events_.pop();
    return event;
  }

 private:
  struct Later {
    bool operator()(GridEvent const& a, GridEvent const& b) const {
      return a.time != b.time ? a.time > b.time : a.number > b.number;
    }
  };

  std::uint64_t pushed_{0};
  std::priority_queue<GridEvent, std::vector<GridEvent>, Later> events_{};
};

}  // namespace makespan::sim
