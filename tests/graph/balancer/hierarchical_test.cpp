// SPDX-License-Identifier: Apache-2.0
// Goal: groups become even, and places in them; what comes of it does not depend on the order in
// which messages arrive; no place hears of all objects. Method: all places in one thread; then with
// messages in any order.
#include "makespan/graph/balancer/hierarchical.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

#include "graph/benchmark_graphs.hpp"
#include "graph/small_graphs.hpp"
#include "makespan/base/error.hpp"
#include "makespan/graph/balancer/decision_in_process.hpp"
#include "makespan/graph/balancer/greedy_comm.hpp"
#include "makespan/graph/model/lower_bound.hpp"
#include "makespan/graph/model/phase_time.hpp"

namespace makespan::graph {
namespace {

double longest_s(Graph const& graph, Places const& places, Mapping const& mapping) {
  return phase_times(graph, places, mapping).longest_s();
}

TEST(Hierarchical, evens_out_places_of_all_groups) {
  // Everything is at place 0 of sixteen, in groups of four.
  Graph const graph(silent(std::vector<double>(160, 1.0)));
  Places const places = equal_places(16);

  Mapping const mapping = HierarchicalBalancer({{"group", 4.0}}).map(graph, places);

  for (int place = 0; place < 16; ++place) EXPECT_EQ(std::ranges::count(mapping, place), 10);
}

TEST(Hierarchical, gives_fast_groups_more) {
  Graph const graph(silent(std::vector<double>(120, 1.0)));
  Places const places = places_of_speeds({1, 1, 2, 2});

  Mapping const mapping = HierarchicalBalancer({{"group", 2.0}}).map(graph, places);

  EXPECT_EQ(std::ranges::count(mapping, 0), 20);
  EXPECT_EQ(std::ranges::count(mapping, 3), 40);
}

TEST(Hierarchical, is_near_what_one_place_decides_that_knows_all) {
  GraphColumns columns = stencil3d(24, 64);
  for (std::size_t object = 0; object < columns.work.size() / 3; ++object) {
    columns.work[object] *= 2.0;
  }
  Graph const graph(columns);
  Places const places = domains_of_places(8, 8);
  double const bound = lower_bound(graph, places).value();

  Mapping const mapping = HierarchicalBalancer({}).map(graph, places);

  EXPECT_LT(longest_s(graph, places, mapping), 0.8 * longest_s(graph, places, graph.now()))
      << "doing nothing is as good";
  EXPECT_LT(longest_s(graph, places, mapping), 1.25 * bound);
  EXPECT_LT(longest_s(graph, places, mapping),
            longest_s(graph, places, GreedyCommBalancer({}).map(graph, places)));
}

// Any message that is under way arrives next.
Mapping in_any_order(Graph const& graph, Places const& places, unsigned seed,
                     std::size_t* most_known) {
  struct SentMessage {
    int from;
    int to;
    DecisionMessage message;
  };
  struct Queue final : DecisionOutbox {
    void send(int place, DecisionMessage message) override {
      messages.push_back({from, place, std::move(message)});
    }
    int from{};
    std::vector<SentMessage> messages{};
  };
  std::mt19937 random(seed);
  HierarchicalBalancer const balancer({{"group", 5.0}});
  auto const shared = std::make_shared<Places const>(places);
  auto known = known_objects(graph, places);
  std::vector<std::unique_ptr<PlaceDecision>> all;
  for (std::size_t place = 0; place < known.size(); ++place) {
    all.push_back(balancer.at_place(
        {.place = static_cast<int>(place), .places = shared, .own = std::move(known[place])}));
  }
  Queue queue;
  std::vector<std::size_t> heard(all.size());
  for (std::size_t place = 0; place < all.size(); ++place) {
    queue.from = static_cast<int>(place);
    all[place]->step(1, queue);
  }
  while (!queue.messages.empty()) {
    std::swap(queue.messages[random() % queue.messages.size()], queue.messages.back());
    SentMessage sent = std::move(queue.messages.back());
    queue.messages.pop_back();
    queue.from = sent.to;
    auto const to = static_cast<std::size_t>(sent.to);
    heard[to] += sent.message.known.work.size();
    all[to]->take(sent.from, std::move(sent.message), queue);
  }
  Mapping mapping = graph.now();
  std::vector<int> announced(mapping.begin(), mapping.end());
  for (std::size_t place = 0; place < all.size(); ++place) {
    DecisionOutcome const outcome = all[place]->outcome();
    for (KnownObject const& each : outcome.leaving) {
      EXPECT_EQ(each.place, static_cast<int>(place));
      mapping[static_cast<std::size_t>(each.object)] = each.to;
    }
    for (KnownObject const& each : outcome.arriving) {
      EXPECT_EQ(each.to, static_cast<int>(place));
      announced[static_cast<std::size_t>(each.object)] = each.to;
    }
  }
  EXPECT_EQ(Mapping(announced.begin(), announced.end()), mapping)
      << "what leaves and what arrives is not the same";
  *most_known = std::ranges::max(heard);
  return mapping;
}

TEST(Hierarchical, decides_the_same_in_whichever_order_messages_arrive) {
  GraphColumns columns = stencil3d(16, 25);
  Graph const graph(columns);
  Places const places = places_of_speeds(
      {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 0.5, 1, 1, 1, 1, 1, 1});
  Mapping const expected = HierarchicalBalancer({{"group", 5.0}}).map(graph, places);
  ASSERT_NE(expected, graph.now());
  for (unsigned seed = 0; seed < 10; ++seed) {
    std::size_t most_known = 0;
    EXPECT_EQ(in_any_order(graph, places, seed, &most_known), expected) << seed;
    // A group of five of 25 places, and what the others give to it.
    EXPECT_LT(most_known, static_cast<std::size_t>(graph.objects()) / 2);
  }
}

TEST(Hierarchical, takes_noise_for_no_reason_to_move_from_group_to_group) {
  GraphColumns columns = silent(std::vector<double>(160, 1.0));
  columns.place.clear();
  for (int object = 0; object < 160; ++object) columns.place.push_back(object / 10);
  for (int object = 0; object < 40; ++object) columns.work[static_cast<std::size_t>(object)] = 1.06;
  columns.noise = 0.1;

  EXPECT_EQ(HierarchicalBalancer({{"group", 4.0}}).map(Graph(columns), equal_places(16)),
            columns.place);
}

// Of another build, say: each message is right in itself, and comes too early, or from elsewhere.
TEST(Hierarchical, takes_no_message_that_is_not_its_turn) {
  struct Nowhere final : DecisionOutbox {
    void send(int /*place*/, DecisionMessage /*message*/) override {}
  } nowhere;
  auto const shared = std::make_shared<Places const>(equal_places(4));
  // Groups of places 0 and 1, and of 2 and 3.
  auto const decision_at = [&](int place) {
    return HierarchicalBalancer({{"group", 2.0}}).at_place({.place = place, .places = shared});
  };
  constexpr std::int32_t objects = 0;
  constexpr std::int32_t shares = 2;
  constexpr std::int32_t placed = 4;
  constexpr std::int32_t decided = 5;
  auto const is_refused = [&](PlaceDecision& decision, int from, DecisionMessage message) {
    EXPECT_THROW(decision.take(from, std::move(message), nowhere), InputError);
  };

  auto const leader = decision_at(2);
  DecisionMessage const share{.kind = shares, .numbers = {0.0, 0.0, 1.0}};
  is_refused(*leader, 0, share);  // before its places have told what they have
  is_refused(*leader, 0, {.kind = placed});
  DecisionMessage const own{.kind = objects,
                            .known = {.objects = {{.object = 0, .place = 2}}, .work = {1.0}}};
  DecisionMessage const odd{.kind = objects,
                            .known = {.objects = {{.object = 1, .place = 3}}, .work = {1.0, 2.0}}};
  leader->take(2, own, nowhere);
  is_refused(*leader, 3, odd);
  leader->take(3, {.kind = objects}, nowhere);
  is_refused(*leader, 1, share);
  EXPECT_NO_THROW(leader->take(0, share, nowhere));
  is_refused(*leader, 0, share);

  auto const member = decision_at(3);
  is_refused(*member, 0, {.kind = decided});
  EXPECT_NO_THROW(member->take(2, {.kind = decided}, nowhere));
}

}  // namespace
}  // namespace makespan::graph
