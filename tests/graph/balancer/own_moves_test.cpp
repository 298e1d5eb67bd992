// SPDX-License-Identifier: Apache-2.0
// Goal: what leaves one place arrives at another. Method: three places in one thread.
#include "makespan/graph/balancer/own_moves.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "makespan/graph/balancer/decision_in_process.hpp"

namespace makespan::graph {
namespace {

TEST(OwnMoves, are_announced_where_objects_go) {
  std::vector<std::unique_ptr<PlaceDecision>> places;
  places.push_back(std::make_unique<OwnMoves>(std::vector<KnownObject>{
      {.object = 4, .place = 0, .to = 2}, {.object = 1, .place = 0, .to = 1}}));
  places.push_back(std::make_unique<OwnMoves>(std::vector<KnownObject>{}));
  places.push_back(
      std::make_unique<OwnMoves>(std::vector<KnownObject>{{.object = 3, .place = 2, .to = 1}}));

  auto const outcomes = decide_in_process(places, 1);

  ASSERT_EQ(outcomes.size(), 3U);
  ASSERT_EQ(outcomes[0].leaving.size(), 2U);
  EXPECT_EQ(outcomes[0].leaving[0].object, 1) << "by number";
  EXPECT_TRUE(outcomes[0].arriving.empty());
  ASSERT_EQ(outcomes[1].arriving.size(), 2U);
  EXPECT_EQ(outcomes[1].arriving[0].object, 1);
  EXPECT_EQ(outcomes[1].arriving[1].object, 3);
  ASSERT_EQ(outcomes[2].arriving.size(), 1U);
  EXPECT_EQ(outcomes[2].leaving.size(), 1U);
}

}  // namespace
}  // namespace makespan::graph
