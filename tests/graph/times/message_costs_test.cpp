// SPDX-License-Identifier: Apache-2.0
// Goal: sums by domain are what adding up each message gives. Method: by hand.
#include "makespan/graph/times/message_costs.hpp"

#include <gtest/gtest.h>

#include "graph/small_graphs.hpp"

namespace makespan::graph {
namespace {

// Domains 0 and 1 on a node, 2 on another. Of two senders in domain 0 and one in domain 2: 3
// messages and 1000 bytes, 2 messages.
std::vector<Traffic> const received{{.other = 0, .messages = 1, .bytes = 1000},
                                    {.other = 1, .messages = 2, .bytes = 0},
                                    {.other = 2, .messages = 2, .bytes = 0}};
std::vector<std::int32_t> const domain_of{0, 0, 2};

TEST(MessageCosts, are_latency_and_bytes) {
  MessageCosts costs = MessageCosts::in_seconds(domains_of_places(3, 1));
  for (int again = 0; again < 2; ++again) {
    std::vector<double> sums{1, 0, 0};
    costs.add_received(received, domain_of, sums);

    EXPECT_DOUBLE_EQ(sums[0], 1 + (3 + 1 + 8) * 1e-6);
    EXPECT_DOUBLE_EQ(sums[1], (6 + 2 + 8) * 1e-6);
    EXPECT_DOUBLE_EQ(sums[2], (12 + 4 + 2) * 1e-6);
  }
}

TEST(MessageCosts, are_nuco_factors_with_a_reward_for_being_near) {
  MessageCosts costs = MessageCosts::by_nuco_factor(domains_of_places(3, 1), 0.5);
  std::vector<double> sums(3);
  costs.add_received(received, domain_of, sums);

  EXPECT_DOUBLE_EQ(sums[0], 0.5 * (-3 + 2 * 4));
  EXPECT_DOUBLE_EQ(sums[1], 0.5 * (3 * 2 + 2 * 4));
  EXPECT_DOUBLE_EQ(sums[2], 0.5 * (3 * 4 - 2));
}

}  // namespace
}  // namespace makespan::graph
