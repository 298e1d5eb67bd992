// SPDX-License-Identifier: Apache-2.0
// Goal: events come by time, and those of one time as they were asked for. Method: by hand.
#include "makespan/sim/grids/detail/event_queue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace makespan::sim {
namespace {

TEST(GridEventQueue, gives_the_earliest_and_of_those_the_first) {
  GridEventQueue events;
  int subject = 0;
  for (double const time : {2.0, 1.0, 2.0, 1.0}) {
    events.push({.time = Seconds{time}, .subject = subject++});
  }

  std::vector<int> order;
  while (!events.is_empty()) order.push_back(events.pop().subject);

  EXPECT_THAT(order, testing::ElementsAre(1, 3, 0, 2));
}

}  // namespace
}  // namespace makespan::sim
