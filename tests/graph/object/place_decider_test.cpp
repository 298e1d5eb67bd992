// SPDX-License-Identifier: Apache-2.0
// Goal: a place tells what its objects took before and now, wherever they took it; a decision that
// is taken is remembered until the next, and can be taken back; numbers are right when a place is
// lost. Method: by hand, with a balancer whose decision is known.
#include "makespan/graph/object/detail/place_decider.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "graph/small_graphs.hpp"
#include "makespan/graph/balancer/rotate.hpp"

namespace makespan::graph {
namespace {

std::shared_ptr<Places const> three_places() {
  return std::make_shared<Places const>(domains_of_places(3, 1));
}

ObjectLoads loads_of(std::vector<int> const& objects, double cpu_s) {
  ObjectLoads loads;
  for (int const object : objects) {
    loads.objects.push_back({.object = object, .moves = 1, .cpu_s = cpu_s, .bytes = 1000.0});
  }
  return loads;
}

DecisionFacts facts_of(ObjectLoads loads) {
  return {.loads = std::move(loads),
          .is_fixed = [](int object) { return object == 9; },
          .place_of = [](int) { return 0; }};
}

DecisionOrder order_for(std::size_t places) {
  return {.speeds = std::vector<double>(places, 1.0),
          .availability = std::vector<double>(places, 1.0)};
}

struct Nowhere final : DecisionOutbox {
  void send(int place, DecisionMessage message) override {
    sent.emplace_back(place, std::move(message));
  }
  std::vector<std::pair<int, DecisionMessage>> sent{};
};

TEST(PlaceDecider, tells_of_objects_that_stayed_and_adds_up_all_but_the_greatest) {
  PlaceDecider decider(1, three_places());
  std::vector<int> objects;
  for (int object = 0; object < 20; ++object) objects.push_back(object);
  EXPECT_TRUE(decider.changes(loads_of(objects, 1.0).objects).empty()) << "nothing was before";

  ObjectLoads now = loads_of(objects, 2.0);
  now.objects[5].cpu_s = 7.0;
  auto const changes = decider.changes(now.objects);

  ASSERT_EQ(changes.size(), 8U);
  EXPECT_EQ(changes[0].now_s, 7.0);
  double before_s = 0.0;
  double now_s = 0.0;
  for (LoadChange const& each : changes) {
    EXPECT_EQ(each.place_before, 1);
    before_s += each.before_s;
    now_s += each.now_s;
  }
  EXPECT_DOUBLE_EQ(before_s, 20.0);
  EXPECT_DOUBLE_EQ(now_s, 45.0);
}

TEST(PlaceDecider, tells_what_objects_took_where_they_came_from) {
  auto const places = three_places();
  PlaceDecider decider(1, places);
  static_cast<void>(decider.changes({}));
  decider.begin(RotateBalancer({}), order_for(3), facts_of({}));
  Nowhere nowhere;
  decider.decision().step(1, nowhere);
  decider.decision().take(
      0, {.known = {.objects = {{.object = 4, .place = 0, .to = 1, .cpu_s = 3.0}}}}, nowhere);
  static_cast<void>(decider.worth());
  ASSERT_EQ(decider.accept().arriving.size(), 1U);

  auto const changes = decider.changes(loads_of({4}, 6.0).objects);

  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].place_before, 0);
  EXPECT_EQ(changes[0].before_s, 3.0);
  EXPECT_EQ(changes[0].now_s, 6.0);
}

TEST(PlaceDecider, says_what_its_objects_cost_to_move_and_keeps_what_is_fixed) {
  auto const places = three_places();
  PlaceDecider decider(2, places);
  decider.begin(RotateBalancer({}), order_for(3), facts_of(loads_of({3, 9}, 1.0)));
  Nowhere nowhere;
  decider.decision().step(1, nowhere);
  ASSERT_EQ(nowhere.sent.size(), 1U);
  EXPECT_EQ(nowhere.sent[0].first, 0) << "the place after the last";

  DecisionWorth const worth = decider.worth();

  EXPECT_EQ(worth.moved, 1);
  EXPECT_EQ(worth.moved_bytes, 1000.0);
  EXPECT_DOUBLE_EQ(worth.migrate_s, places->message_s(2, 0, {0, 1.0F, 1000.0}));
}

TEST(PlaceDecider, takes_a_decision_back_by_sending_objects_where_they_came_from) {
  PlaceDecider decider(1, three_places());
  Nowhere nowhere;
  decider.begin(RotateBalancer({}), order_for(3), facts_of({}));
  decider.decision().step(1, nowhere);
  decider.decision().take(0, {.known = {.objects = {{.object = 4, .place = 0, .to = 1}}}}, nowhere);
  static_cast<void>(decider.worth());
  static_cast<void>(decider.accept());

  DecisionOrder back = order_for(3);
  back.goes_back = 1;
  decider.begin(RotateBalancer({}), back, facts_of(loads_of({4, 5}, 1.0)));
  decider.decision().step(1, nowhere);
  static_cast<void>(decider.worth());
  DecisionOutcome const outcome = decider.accept();

  ASSERT_EQ(outcome.leaving.size(), 1U) << "what was here before stays";
  EXPECT_EQ(outcome.leaving[0].object, 4);
  EXPECT_EQ(outcome.leaving[0].to, 0);
}

TEST(PlaceDecider, counts_places_that_are_left) {
  PlaceDecider decider(2, three_places());
  decider.begin_anew({0, 2});
  EXPECT_EQ(decider.index_of(2), 1);
  EXPECT_EQ(decider.number_of(1), 2);
  Nowhere nowhere;

  decider.begin(RotateBalancer({}), order_for(2), facts_of(loads_of({3}, 1.0)));
  decider.decision().step(1, nowhere);
  static_cast<void>(decider.worth());
  DecisionOutcome const outcome = decider.accept();

  ASSERT_EQ(outcome.leaving.size(), 1U);
  EXPECT_EQ(outcome.leaving[0].to, 0);
  EXPECT_EQ(outcome.leaving[0].place, 2);
}

}  // namespace
}  // namespace makespan::graph
