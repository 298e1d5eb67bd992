// SPDX-License-Identifier: Apache-2.0
// Goal: a run that begins anew after a loss knows nothing of what was under way before. Method: a
// coordinator of three images of one place, and a test that answers for the places.
#include "makespan/graph/object/detail/coordinator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "graph/object/still_messenger.hpp"
#include "makespan/graph/object/detail/coordinator_messages.hpp"

namespace makespan::graph {
namespace {

constexpr int places = 3;

// One object at each place; after each phase loads are looked at and copies saved.
WorldPlan plan_of_three() {
  WorldPlan plan;
  plan.collections.push_back({.name = "cells", .first = 0, .count = places});
  plan.objects = places;
  plan.layout = assumed_layout(1, std::vector{0, 1, 2});
  plan.options.balance.balancer = "random";
  plan.options.balance.trigger.when = BalanceWhen::periodic;
  plan.options.checkpoint.every = 1;
  return plan;
}

struct Story {
  void tell(int place, EnvelopeKind kind, std::vector<std::byte> bytes = {},
            std::vector<Target> targets = {}, std::int64_t number = 0) {
    coordinator.take({.kind = kind,
                      .from = place,
                      .generation = last().generation,
                      .phase = last().phase,
                      .number = number,
                      .targets = std::move(targets),
                      .bytes = std::move(bytes)});
  }
  Envelope const& last() const { return post.sent.back().envelope; }
  bool asks(EnvelopeKind kind) const { return last().kind == kind; }

  // Of the places that are there: they are idle.
  void end_phase(std::vector<int> const& live) {
    ++version;
    auto const idle = as_message_bytes(
        ImageState{.version = version, .is_idle = true, .places = std::vector<PlaceState>(1)});
    for (int const place : live) tell(place, EnvelopeKind::report, idle);
    ASSERT_TRUE(asks(EnvelopeKind::question));
    std::int64_t const question = last().number;
    for (int const place : live) {
      tell(place, EnvelopeKind::answer, idle, {}, question);
    }
  }
  void tell_loads(int place, std::vector<int> const& objects) {
    ObjectLoads loads;
    for (int const object : objects) {
      loads.objects.push_back({.object = object, .moves = 1, .cpu_s = 1.0, .bytes = 8.0});
    }
    tell(place, EnvelopeKind::loads, as_message_bytes(loads));
  }

  std::int64_t version{0};
  WorldPlan plan{plan_of_three()};
  ObjectProgram program{.phases = 10};
  StillMessenger post{PlaceNumbers{.place = 0, .threads = 1, .images = places}};
  Coordinator coordinator{plan, program, post};
};

TEST(Coordinator, forgets_the_loads_of_a_place_that_is_lost_during_a_look) {
  Story story;
  story.post.sent.push_back({0, {.phase = -1, .number = 0}});
  std::vector<int> const all{0, 1, 2};
  story.end_phase(all);  // objects are made
  ASSERT_TRUE(story.asks(EnvelopeKind::begin));
  story.end_phase(all);
  ASSERT_TRUE(story.asks(EnvelopeKind::look));
  for (int const place : all) story.tell_loads(place, {place});
  ASSERT_TRUE(story.asks(EnvelopeKind::save));
  for (int const place : all) story.tell(place, EnvelopeKind::saved);
  ASSERT_TRUE(story.asks(EnvelopeKind::begin));
  story.end_phase(all);
  ASSERT_TRUE(story.asks(EnvelopeKind::look));
  story.tell_loads(2, {2});

  story.tell(0, EnvelopeKind::lost, {}, {}, 2);
  ASSERT_TRUE(story.asks(EnvelopeKind::restart));
  story.tell(0, EnvelopeKind::inventory);
  story.tell(1, EnvelopeKind::inventory);
  ASSERT_TRUE(story.asks(EnvelopeKind::begin));
  story.end_phase({0, 1});
  ASSERT_TRUE(story.asks(EnvelopeKind::look));
  story.tell_loads(0, {0, 2});
  EXPECT_NO_THROW(story.tell_loads(1, {1}));

  EXPECT_TRUE(story.asks(EnvelopeKind::save));
}

TEST(Coordinator, counts_by_the_newest_state_of_an_image) {
  Story story;
  std::int64_t messages = -1;
  story.program.after = [&](PhaseReport const& report) {
    messages = report.messages;
    return Next::go_on;
  };
  story.post.sent.push_back({0, {.phase = -1, .number = 0}});
  std::vector<int> const all{0, 1, 2};
  story.end_phase(all);
  ASSERT_TRUE(story.asks(EnvelopeKind::begin));
  auto const state = [](std::int64_t version, std::int64_t messages) {
    PlaceState const place{.counts = {.sent = messages, .processed = messages}};
    return as_message_bytes(ImageState{.version = version, .is_idle = true, .places = {place}});
  };
  for (int const place : all) story.tell(place, EnvelopeKind::report, state(20, 5));
  ASSERT_TRUE(story.asks(EnvelopeKind::question));
  std::int64_t const question = story.last().number;
  for (int const place : {0, 1}) {
    story.tell(place, EnvelopeKind::answer, state(20, 5), {}, question);
  }

  // It was overtaken by what came after it.
  story.tell(0, EnvelopeKind::report, state(18, 1));
  story.tell(2, EnvelopeKind::answer, state(20, 5), {}, question);

  EXPECT_EQ(messages, 15);
}

}  // namespace
}  // namespace makespan::graph
