// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/job/detail/loss_text.hpp"

#include <gtest/gtest.h>

namespace makespan::pgas {
namespace {

constexpr Seconds limit{1.25};

TEST(LossText, Text_says_how_long_it_was_silent) {
  HeartbeatLoss const loss{ImageId{2}, LossCause::silent, ImageId{0}};

  EXPECT_EQ(loss_text(loss, ImageId{0}, limit), "silent for 1.25 s");
}

TEST(LossText, Text_names_another_witness) {
  HeartbeatLoss const loss{ImageId{2}, LossCause::ended, ImageId{3}};

  EXPECT_EQ(loss_text(loss, ImageId{0}, limit), "its process has ended, says image 3");
}

TEST(LossText, Text_for_the_lost_one_itself) {
  HeartbeatLoss const loss{ImageId{2}, LossCause::unreachable, ImageId{3}};

  EXPECT_EQ(loss_text(loss, ImageId{2}, limit),
            "given up by the others: it cannot be reached, says image 3");
}

}  // namespace
}  // namespace makespan::pgas
