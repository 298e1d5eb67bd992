// SPDX-License-Identifier: Apache-2.0
// Goal: each place has the mean of all. Method: all places in one thread, one to a hundred of them.
#include "makespan/graph/balancer/detail/tree_mean.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <tuple>
#include <vector>

namespace makespan::graph {
namespace {

struct Queue final : DecisionOutbox {
  void send(int place, DecisionMessage message) override {
    messages.emplace_back(from, place, std::move(message));
  }
  int from{};
  std::deque<std::tuple<int, int, DecisionMessage>> messages{};
};

TEST(TreeMean, is_known_to_each_place_and_takes_two_messages_for_each_but_the_first) {
  for (int const places : {1, 2, 5, 6, 100}) {
    SCOPED_TRACE(places);
    std::vector<TreeMean> all;
    Queue queue;
    double sum = 0.0;
    double weights = 0.0;
    for (int place = 0; place < places; ++place) all.emplace_back(place, places);
    for (int place = 0; place < places; ++place) {
      double const weight = 1.0 + place % 3;
      sum += weight * place;
      weights += weight;
      queue.from = place;
      all[static_cast<std::size_t>(place)].begin(weight * place, weight, 7, queue);
    }
    int sent = 0;
    for (; !queue.messages.empty(); ++sent) {
      auto const [from, to, message] = queue.messages.front();
      queue.messages.pop_front();
      EXPECT_EQ(message.kind, 7);
      queue.from = to;
      all[static_cast<std::size_t>(to)].take(from, message.numbers, 7, queue);
    }
    for (TreeMean const& each : all) EXPECT_NEAR(each.value(), sum / weights, 1e-12);
    EXPECT_EQ(sent, 2 * (places - 1));
  }
}

}  // namespace
}  // namespace makespan::graph
