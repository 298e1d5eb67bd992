// SPDX-License-Identifier: Apache-2.0
// What places say to the coordinator: counts, by which it sees the end of a phase, and loads, by
// which it moves objects. Where places decide together: what a decision begins with, what they tell
// each other, and what the coordinator learns of it.
#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "fuzz/fuzz_input.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/graph/balancer/balancer_registry.hpp"
#include "makespan/graph/object/collection.hpp"
#include "makespan/graph/object/detail/place_decider.hpp"
#include "makespan/graph/object/detail/world_plan.hpp"
#include "makespan/graph/object/message/envelope_check.hpp"
#include "makespan/graph/protocol/quiescence.hpp"
#include "makespan/graph/rebalance/rebalancer.hpp"

namespace makespan::fuzz::coordinator_messages_target {
namespace {

constexpr int objects = 6;
constexpr graph::EnvelopeBounds bounds{.place = 0, .places = 3, .images = 3, .objects = objects};

graph::WorldPlan const& plan() {
  static graph::WorldPlan const one = [] {
    graph::WorldPlan made{.layout = graph::assumed_layout(1, std::vector<int>{0, 0, 1})};
    made.collections.push_back({.name = "objects", .count = objects});
    made.objects = objects;
    return made;
  }();
  return one;
}

void take_counts(FuzzInput& input) {
  graph::Quiescence quiescence(bounds.images);
  quiescence.begin();
  while (!input.is_at_end()) {
    int const image = input.small(bounds.images - 1);
    bool const is_answer = input.flag();
    std::int64_t const question = input.small(3);
    graph::ImageState const state = graph::read_image_state(input.part());
    expect_within(bounds, state);
    if (is_answer) {
      static_cast<void>(quiescence.answer(image, question, state));
    } else {
      static_cast<void>(quiescence.report(image, state));
    }
  }
}

void take_loads(FuzzInput& input) {
  graph::Rebalancer rebalancer(plan().options.balance, plan().balanced_objects(),
                               graph::assumed_layout(1, std::vector<int>{0, 0, 1}));
  for (int look = 0; look < 2; ++look) {
    std::vector<graph::PlaceLoads> places(3);
    for (graph::PlaceLoads& each : places) {
      each.loads = graph::read_loads(input.part());
      expect_within(bounds, each.loads);
      each.availability = 1.0;
    }
    for (graph::Target const& move : rebalancer.propose(places, look).moves) {
      MAKESPAN_ENSURE(move.object >= 0 && move.object < objects);
      MAKESPAN_ENSURE(move.place >= 0 && move.place < bounds.places);
    }
    static_cast<void>(rebalancer.way_back(places));
  }
}

// --- places that decide together

std::shared_ptr<graph::Places const> const& places() {
  static auto const all = std::make_shared<graph::Places const>(graph::places_of(plan().layout));
  return all;
}

std::unique_ptr<graph::DistributedBalancer> balancer(int kind) {
  constexpr std::array names{"gossip", "hierarchical", "rotate"};
  auto made = graph::make_balancer(names[static_cast<std::size_t>(kind)], {});
  return std::unique_ptr<graph::DistributedBalancer>(
      dynamic_cast<graph::DistributedBalancer*>(made.release()));
}

// Two objects of each place.
graph::DecisionFacts facts_of(int place) {
  graph::ObjectLoads loads;
  for (int const object : {2 * place, 2 * place + 1}) {
    loads.objects.push_back({.object = object, .moves = 1, .cpu_s = 1.0 + place, .bytes = 9});
  }
  loads.traffic.push_back({.from = 2 * place, .to = 5, .messages = 1, .bytes = 100});
  return {.loads = std::move(loads),
          .is_fixed = [](int) { return false; },
          .place_of = [](int object) { return object / 2; }};
}

// Keeps what a place sends to others.
struct Outbox final : graph::DecisionOutbox {
  void send(int place, graph::DecisionMessage message) override {
    MAKESPAN_ENSURE(place >= 0 && place < bounds.places);
    sent.push_back(std::move(message));
  }
  std::vector<graph::DecisionMessage> sent{};
};

void ensure_within(std::vector<graph::KnownObject> const& moves) {
  for (graph::KnownObject const& each : moves) {
    MAKESPAN_ENSURE(each.object >= 0 && each.object < objects);
    MAKESPAN_ENSURE(each.place >= 0 && each.place < bounds.places);
    MAKESPAN_ENSURE(each.to >= 0 && each.to < bounds.places);
  }
}

void take_decisions(FuzzInput& input) {
  int const place = input.small(bounds.places - 1);
  auto const decided_by = balancer(input.small(2));
  graph::PlaceDecider decider(place, places());
  graph::DecisionOrder const order = graph::read_decision_order(input.part());
  expect_within(bounds, order);
  decider.begin(*decided_by, order, facts_of(place));
  Outbox outbox;
  for (int step = 1; step <= (order.goes_back != 0 ? 1 : decided_by->steps()); ++step) {
    decider.decision().step(step, outbox);
    while (input.flag()) {
      int const from = input.small(bounds.places - 1);
      graph::DecisionMessage message = graph::read_decision(input.part());
      expect_within(bounds, message);
      decider.decision().take(from, std::move(message), outbox);
    }
  }
  static_cast<void>(graph::read_worth(as_message_bytes(decider.worth())));
  graph::DecisionOutcome const outcome = decider.accept();
  ensure_within(outcome.leaving);
  ensure_within(outcome.arriving);
}

// What the coordinator learns before a decision, and hears after it.
void take_replies(FuzzInput& input) {
  graph::Rebalancer rebalancer(plan().options.balance, plan().balanced_objects(),
                               graph::assumed_layout(1, std::vector<int>{0, 0, 1}));
  std::vector<double> before_s;
  std::vector<double> now_s;
  std::vector<std::int32_t> place_before;
  std::vector<std::int32_t> place_now;
  for (int place = 0; place < bounds.places; ++place) {
    std::vector<graph::LoadChange> const changes = graph::read_changes(input.part());
    expect_within(bounds, changes);
    for (graph::LoadChange const& each : changes) {
      before_s.push_back(each.before_s);
      now_s.push_back(each.now_s);
      place_before.push_back(each.place_before);
      place_now.push_back(place);
    }
  }
  rebalancer.learn(
      {.before_s = before_s, .now_s = now_s, .place_before = place_before, .place_now = place_now},
      1);
  for (double const speed : rebalancer.speeds()) MAKESPAN_ENSURE(speed > 0.0);
  expect_within(bounds, graph::read_worth(input.part()));
}

void take(std::span<std::byte const> bytes) {
  FuzzInput input(bytes);
  std::array const takes{&take_counts, &take_loads, &take_decisions, &take_replies};
  takes[static_cast<std::size_t>(input.small(static_cast<int>(takes.size()) - 1))](input);
}

// Of place 0, which hears in each step what place 1 says.
Bytes decision_seed(int kind) {
  graph::DecisionOrder const order{.noise = 0.1,
                                   .speeds = std::vector<double>(3, 1.0),
                                   .availability = std::vector<double>(3, 1.0)};
  FuzzOutput seed;
  seed.small(2).small(0).small(kind).part(graph::as_message_bytes(order));
  auto const decided_by = balancer(kind);
  graph::PlaceDecider other(1, places());
  other.begin(*decided_by, order, facts_of(1));
  for (int step = 1; step <= decided_by->steps(); ++step) {
    Outbox outbox;
    try {
      other.decision().step(step, outbox);
    } catch (InputError const&) {
      break;  // it has heard of no place
    }
    for (graph::DecisionMessage const& each : outbox.sent) {
      seed.small(1).small(1).part(graph::as_message_bytes(each));
    }
    seed.small(0);
  }
  return seed.bytes();
}

Bytes replies_seed() {
  FuzzOutput seed;
  seed.small(3);
  for (int place = 0; place < bounds.places; ++place) {
    seed.part(graph::as_message_bytes(std::vector<graph::LoadChange>{
        {.place_before = (place + 1) % bounds.places, .before_s = 1.0, .now_s = 2.0},
        {.place_before = place, .before_s = 1.0, .now_s = 1.0}}));
  }
  return seed
      .part(graph::as_message_bytes(graph::DecisionWorth{
          .now_s = 2.0, .new_s = 1.0, .migrate_s = 0.1, .moved_bytes = 100.0, .moved = 2}))
      .bytes();
}

std::vector<Bytes> seeds() {
  FuzzOutput counts;
  counts.small(0);
  for (int at = 0; at < 6; ++at) {
    counts.small(at % 3).small(at / 3).small(1);
    counts.part(graph::as_message_bytes(
        graph::ImageState{.version = 1 + at / 3,
                          .is_idle = true,
                          .places = {{.counts = {.sent = 2, .processed = 2}}}}));
  }
  FuzzOutput loads;
  loads.small(1);
  for (int place = 0; place < 6; ++place) {
    graph::ObjectLoads envelope;
    for (int object = 0; object < 2; ++object) {
      envelope.objects.push_back(
          {.object = place % 3 * 2 + object, .cpu_s = 1.0 + place, .bytes = 9});
    }
    envelope.traffic.push_back({.from = place % 3 * 2, .to = 5, .messages = 1, .bytes = 100});
    loads.part(graph::as_message_bytes(envelope));
  }
  return {counts.bytes(),   loads.bytes(),    decision_seed(0),
          decision_seed(1), decision_seed(2), replies_seed()};
}

FuzzTarget const target("coordinator_messages", &take, &seeds);

}  // namespace
}  // namespace makespan::fuzz::coordinator_messages_target
