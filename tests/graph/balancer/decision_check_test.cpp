// SPDX-License-Identifier: Apache-2.0
// Goal: no message that another program sends becomes an index of a place that decides. Method:
// messages that lack something, to the places of the balancers that decide together.
#include "makespan/graph/balancer/detail/decision_check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "graph/small_graphs.hpp"
#include "makespan/base/error.hpp"
#include "makespan/graph/balancer/gossip.hpp"
#include "makespan/graph/balancer/hierarchical.hpp"

namespace makespan::graph {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(DecisionCheck, takes_numbers_that_are_below) {
  EXPECT_EQ(told_below(0.0, 3), 0);
  EXPECT_EQ(told_below(2.0, 3), 2);
  for (double const bad : {-1.0, 3.0, 1e300, nan}) {
    EXPECT_THROW(static_cast<void>(told_below(bad, 3)), InputError) << bad;
  }
}

TEST(DecisionCheck, asks_for_places_and_work) {
  Places const places = equal_places(3);
  EXPECT_NO_THROW(expect_known(places, {}));
  EXPECT_NO_THROW(expect_known(places, {.objects = {{.place = 2}}, .work = {1.0}}));
  EXPECT_THROW(expect_known(places, {.objects = {{.place = 2}}}), InputError);
  EXPECT_THROW(expect_known(places, {.objects = {{}, {}}, .work = {1.0, 1.0, 1.0}}), InputError);
  EXPECT_THROW(expect_at(places, {.objects = {{.place = 3}}}), InputError);
  EXPECT_THROW(expect_at(places, {.objects = {{.to = -1}}}), InputError);
  EXPECT_THROW(expect_at(places, {.edges = {{.to_place = 3}}}), InputError);
}

class NoOutbox final : public DecisionOutbox {
 public:
  void send(int /*place*/, DecisionMessage /*message*/) override {}
};

// At place 0 of four, which has nothing.
void expect_refused(DistributedBalancer const& balancer, int from, DecisionMessage message) {
  NoOutbox outbox;
  auto const decision = balancer.at_place(
      {.place = 0, .places = std::make_shared<Places const>(equal_places(4)), .own = {}});
  decision->step(1, outbox);
  EXPECT_THROW(decision->take(from, std::move(message), outbox), InputError);
}

// Kinds as in gossip.cpp.
TEST(DecisionCheck, is_what_gossip_goes_by) {
  GossipBalancer const gossip{OptionValues{}};
  KnownObjects const without_work{.objects = {{.object = 1}}};
  expect_refused(gossip, 1, {.kind = 0, .numbers = {1.0}});
  expect_refused(gossip, 1, {.kind = 1});
  expect_refused(gossip, 1, {.kind = 1, .numbers = {1.0}});  // before the first round
  expect_refused(gossip, 1, {.kind = 1, .numbers = {1e9}});
  expect_refused(gossip, 1, {.kind = 1, .numbers = {1.0, 4.0, 1.0}});
  expect_refused(gossip, 1, {.kind = 2, .known = without_work, .numbers = {1.0}});
  expect_refused(gossip, 1, {.kind = 2, .known = {.objects = {{}}, .work = {1.0}}});
  expect_refused(gossip, 1, {.kind = 3, .known = without_work});
  expect_refused(gossip, 1, {.kind = 4, .known = {.objects = {{.place = 4}}}});
  expect_refused(gossip, 1, {.kind = 5});
}

// Kinds as in hierarchical.cpp. Place 0 leads places 0 and 1, and is the top of two groups.
TEST(DecisionCheck, is_what_groups_go_by) {
  HierarchicalBalancer const groups({{"group", 2.0}});
  KnownObjects const without_work{.objects = {{.object = 1}}};
  expect_refused(groups, 1, {.kind = 0, .known = without_work});
  expect_refused(groups, 2, {.kind = 0});  // no member
  expect_refused(groups, 1, {.kind = 0, .known = {.objects = {{.place = 2}}, .work = {1.0}}});
  expect_refused(groups, 2, {.kind = 1, .numbers = {1.0}});
  expect_refused(groups, 0, {.kind = 2});
  expect_refused(groups, 0, {.kind = 2, .numbers = {0.0, 7.0, 1.0}});
  expect_refused(groups, 2, {.kind = 3, .known = without_work});
  expect_refused(groups, 2, {.kind = 4, .known = {.objects = {{.to = 4}}}});
  expect_refused(groups, 2, {.kind = 6});
}

TEST(DecisionCheck, hears_each_place_of_a_group_once) {
  NoOutbox outbox;
  auto const leader =
      HierarchicalBalancer({{"group", 3.0}})
          .at_place(
              {.place = 0, .places = std::make_shared<Places const>(equal_places(3)), .own = {}});
  EXPECT_NO_THROW(leader->take(1, {.kind = 0}, outbox));
  EXPECT_THROW(leader->take(1, {.kind = 0}, outbox), InputError);
}

}  // namespace
}  // namespace makespan::graph
