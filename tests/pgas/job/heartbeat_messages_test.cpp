// SPDX-License-Identifier: Apache-2.0
// Goal: what images tell a ring is looked at before it is used. Method: one thing wrong at a time.
#include <gtest/gtest.h>

#include <vector>

#include "makespan/pgas/job/detail/heartbeat_ring.hpp"

namespace makespan::pgas {
namespace {

// As another build, or a damaged message, may have them.
TEST(HeartbeatMessages, Ring_drops_what_cannot_be) {
  constexpr auto loss = HeartbeatKind::loss;
  constexpr auto silent = LossCause::silent;
  std::vector<HeartbeatMessage> const messages{
      {loss, silent, -1, 1},
      {loss, silent, 3, 1},
      {loss, silent, 2, -1},
      {loss, silent, 2, 3},
      {loss, static_cast<LossCause>(3), 2, 1},
      {static_cast<HeartbeatKind>(3), silent, 2, 1},
  };
  std::vector const images{ImageId{0}, ImageId{1}, ImageId{2}};
  HeartbeatRing ring(ImageId{0}, images, {}, Seconds{0.0});
  for (HeartbeatMessage const& message : messages) {
    HeartbeatActions const actions = ring.step(HeartbeatHeard{ImageId{1}, message}, Seconds{0.1});
    EXPECT_TRUE(actions.losses.empty());
    EXPECT_TRUE(actions.sends.empty());
  }

  // And goes on.
  auto const actions = ring.step(HeartbeatHeard{ImageId{1}, {loss, silent, 2, 1}}, Seconds{0.1});
  ASSERT_EQ(actions.losses.size(), 1U);
  EXPECT_EQ(actions.losses.front().image, ImageId{2});
}

}  // namespace
}  // namespace makespan::pgas
