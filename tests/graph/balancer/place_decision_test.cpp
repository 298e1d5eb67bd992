// SPDX-License-Identifier: Apache-2.0
// Goal: what places decide is the mapping; objects are appended with their work. Method: by hand;
// a balancer whose places do not agree about anything.
#include "makespan/graph/balancer/place_decision.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "graph/small_graphs.hpp"
#include "makespan/graph/balancer/decision_in_process.hpp"

namespace makespan::graph {
namespace {

// Each place sends its objects' work to the next in step 1, and gives its first object there in
// step 2 if it has heard of less than it has.
class Downhill final : public PlaceDecision {
 public:
  explicit Downhill(DecisionView view) : view_(std::move(view)) {}
  void step(int number, DecisionOutbox& outbox) override {
    int const next = (view_.place + 1) % view_.places->count();
    if (number == 1) return outbox.send(next, {.numbers = {sum()}});
    if (view_.own.objects.empty() || heard_ >= sum()) return;
    KnownObject gift = view_.own.objects.front();
    gift.to = next;
    outcome_.leaving.push_back(gift);
  }
  void take(int from, DecisionMessage message, DecisionOutbox& /*outbox*/) override {
    EXPECT_EQ(from, (view_.place + view_.places->count() - 1) % view_.places->count());
    heard_ = message.numbers.at(0);
  }
  DecisionOutcome outcome() override { return outcome_; }

 private:
  [[nodiscard]] double sum() const {
    double all = 0.0;
    for (double const each : view_.own.work) all += each;
    return all;
  }
  DecisionView view_;
  double heard_{-1.0};
  DecisionOutcome outcome_{};
};

class DownhillBalancer final : public DistributedBalancer {
 public:
  [[nodiscard]] int steps() const override { return 2; }
  [[nodiscard]] std::unique_ptr<PlaceDecision> at_place(DecisionView view) const override {
    return std::make_unique<Downhill>(std::move(view));
  }
};

TEST(DistributedBalancer, maps_as_its_places_decide) {
  GraphColumns columns = silent({1, 1, 5, 1});
  columns.place = {0, 0, 1, 2};

  // Place 1 heard of 2 and has 5; place 0 heard of 1 and has 2; place 2 heard of 5 and has 1.
  EXPECT_EQ(DownhillBalancer().map(Graph(columns), equal_places(3)), (Mapping{1, 0, 2, 2}));
}

TEST(DistributedBalancer, counts_messages_and_times_of_places) {
  auto const places = std::make_shared<Places const>(equal_places(3));
  std::vector<std::unique_ptr<PlaceDecision>> all;
  for (int place = 0; place < 3; ++place) {
    all.push_back(DownhillBalancer().at_place({.place = place, .places = places}));
  }
  double clock_s = 0.0;
  DecisionCost cost;

  static_cast<void>(decide_in_process(all, 2, &cost, [&] { return clock_s += 1.0; }));

  EXPECT_EQ(cost.messages, 3);
  // Two steps, a message and the outcome.
  EXPECT_EQ(cost.place_s, (std::vector<double>{4.0, 4.0, 4.0}));
}

TEST(KnownObjects, are_appended_with_their_work) {
  GraphColumns columns = silent({1, 2, 3, 4});
  columns.kinds = 2;
  columns.place = {0, 1};
  add_edge(columns, 0, 1, 3.0, 8.0);
  auto const known = known_objects(Graph(columns), equal_places(2));
  ASSERT_EQ(known[0].kinds(), 2U);
  ASSERT_EQ(known[0].edges.size(), 1U);
  EXPECT_EQ(known[0].edges[0].to_place, 1);

  KnownObjects both;
  both.append(known[1]);
  both.append(known[0], 0);

  EXPECT_EQ(both.work, (std::vector<double>{3, 4, 1, 2}));
  EXPECT_EQ(both.objects[1].object, 0);
  EXPECT_TRUE(both.edges.empty()) << "one by one without its edges";
}

}  // namespace
}  // namespace makespan::graph
