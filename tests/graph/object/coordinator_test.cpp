// SPDX-License-Identifier: Apache-2.0
// Goal: a run begins, goes on after a loss without what was under way before, and ends when it
// should. Method: a coordinator of three images of one place, and a test that answers for the
// places.
#include "makespan/graph/object/detail/coordinator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "graph/object/still_messenger.hpp"
#include "makespan/graph/object/message/coordinator_messages.hpp"

namespace makespan::graph {
namespace {

constexpr int places = 3;

// One object at each place; after each phase loads are looked at and copies saved.
WorldPlan plan_of_three(std::string const& balancer) {
  WorldPlan plan;
  plan.collections.push_back({.name = "cells", .first = 0, .count = places});
  plan.objects = places;
  plan.layout = assumed_layout(1, std::vector{0, 1, 2});
  plan.options.balance.balancer = balancer;
  plan.options.balance.trigger.when = BalanceWhen::periodic;
  plan.options.checkpoint.every = 1;
  return plan;
}

struct Story {
  explicit Story(std::string const& balancer = "random") : Story(plan_of_three(balancer), 10) {}
  Story(WorldPlan of, std::int64_t phases) : plan{std::move(of)}, program{.phases = phases} {}

  void tell(int place, EnvelopeKind kind, std::vector<std::byte> bytes = {}, Targets targets = {},
            std::int64_t number = 0) {
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
  void end_phase(std::vector<int> const& live, std::int64_t step = 0) {
    ++version;
    auto const idle = [this](int place) {
      return as_message_bytes(ImageState{.version = version,
                                         .is_idle = true,
                                         .places = {states[static_cast<std::size_t>(place)]}});
    };
    for (int const place : live) tell(place, EnvelopeKind::report, idle(place), {}, step);
    ASSERT_TRUE(asks(EnvelopeKind::question));
    std::int64_t const question = last().number;
    for (int const place : live) {
      tell(place, EnvelopeKind::answer, idle(place), {}, question);
    }
  }
  // One second in which places were busy for so long, and what was asked for after it.
  void end_second(std::vector<int> const& live, std::vector<double> const& busy_s) {
    now_ns += 1'000'000'000;
    for (std::size_t at = 0; at < live.size(); ++at) {
      PlaceState& state = states[static_cast<std::size_t>(live[at])];
      state.busy_wall_s = state.busy_cpu_s = busy_s[at];
    }
    end_phase(live);
    if (!asks(EnvelopeKind::save)) return;
    for (int const place : live) tell(place, EnvelopeKind::saved);
  }
  void tell_loads(int place, std::vector<int> const& objects) {
    ObjectLoads loads;
    for (int const object : objects) {
      loads.objects.push_back({.object = object, .moves = 1, .cpu_s = 1.0, .bytes = 8.0});
    }
    tell(place, EnvelopeKind::loads, as_message_bytes(loads));
  }

  std::int64_t version{0};
  std::vector<PlaceState> states{places};  // by place: what it says when it is idle
  std::int64_t now_ns{0};                  // for those that ask `post` for the time
  WorldPlan plan;
  ObjectProgram program;
  StillMessenger post{PlaceNumbers{.place = 0, .threads = 1, .images = places}};
  Coordinator coordinator{plan, program, post};
};

// The first phase, and the copies after it.
void begin_second_phase(Story& story) {
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
}

TEST(Coordinator, forgets_the_loads_of_a_place_that_is_lost_during_a_look) {
  Story story;
  begin_second_phase(story);
  story.end_phase({0, 1, 2});
  ASSERT_TRUE(story.asks(EnvelopeKind::look));
  story.tell_loads(2, {2});

  story.tell(0, EnvelopeKind::lost, {}, {}, 2);
  ASSERT_TRUE(story.asks(EnvelopeKind::restart));
  story.tell(0, EnvelopeKind::restored);
  story.tell(1, EnvelopeKind::restored);
  ASSERT_TRUE(story.asks(EnvelopeKind::begin));
  story.end_phase({0, 1});
  ASSERT_TRUE(story.asks(EnvelopeKind::look));
  story.tell_loads(0, {0, 2});
  EXPECT_NO_THROW(story.tell_loads(1, {1}));

  EXPECT_TRUE(story.asks(EnvelopeKind::save));
}

void begin_first_phase(Story& story) {
  story.post.sent.push_back({0, {.phase = -1, .number = 0}});
  story.end_phase({0, 1, 2});
  ASSERT_TRUE(story.asks(EnvelopeKind::begin));
  story.end_phase({0, 1, 2});
  ASSERT_TRUE(story.asks(EnvelopeKind::look));
  for (int const place : {0, 1, 2}) {
    story.tell(place, EnvelopeKind::changes, as_message_bytes(std::vector<LoadChange>{}));
  }
  ASSERT_TRUE(story.asks(EnvelopeKind::decide));
}

TEST(Coordinator, has_places_decide_step_by_step_and_asks_what_it_is_worth) {
  Story story("gossip");
  begin_first_phase(story);
  for (std::int64_t step = 1; step <= 10; ++step) {
    EXPECT_EQ(story.last().number, step);
    // Reports of the step before say nothing of this one.
    std::size_t const sent = story.post.sent.size();
    auto const idle = as_message_bytes(ImageState{
        .version = story.version + 1, .is_idle = true, .places = std::vector<PlaceState>(1)});
    for (int const place : {0, 1, 2}) {
      story.tell(place, EnvelopeKind::report, idle, {}, step - 1);
    }
    ASSERT_EQ(story.post.sent.size(), sent);
    story.end_phase({0, 1, 2}, step);
    ASSERT_TRUE(story.asks(EnvelopeKind::decide)) << step;
  }
  EXPECT_EQ(story.last().number, 0);
  for (int const place : {0, 1, 2}) {
    story.tell(place, EnvelopeKind::outcome,
               as_message_bytes(DecisionWorth{.now_s = 2.0, .new_s = 1.0, .moved = 1}));
  }
  ASSERT_TRUE(story.asks(EnvelopeKind::save));
  for (int const place : {0, 1, 2}) story.tell(place, EnvelopeKind::saved);

  ASSERT_TRUE(story.asks(EnvelopeKind::begin));
  EXPECT_TRUE(PhaseOrder::of(story.last().number).takes_decision);
}

TEST(Coordinator, begins_anew_when_a_place_is_lost_while_all_decide) {
  for (bool const is_concluding : {false, true}) {
    SCOPED_TRACE(is_concluding);
    Story story("rotate");
    begin_first_phase(story);
    // Copies there are from the second phase on.
    story.end_phase({0, 1, 2}, 1);
    ASSERT_TRUE(story.asks(EnvelopeKind::decide));
    for (int const place : {0, 1, 2}) {
      story.tell(place, EnvelopeKind::outcome, as_message_bytes(DecisionWorth{}));
    }
    for (int const place : {0, 1, 2}) story.tell(place, EnvelopeKind::saved);
    ASSERT_TRUE(story.asks(EnvelopeKind::begin));
    story.end_phase({0, 1, 2});
    for (int const place : {0, 1, 2}) {
      story.tell(place, EnvelopeKind::changes, as_message_bytes(std::vector<LoadChange>{}));
    }
    if (is_concluding) {
      story.end_phase({0, 1, 2}, 1);
      story.tell(1, EnvelopeKind::outcome, as_message_bytes(DecisionWorth{.moved = 3}));
    }

    story.tell(0, EnvelopeKind::lost, {}, {}, 2);
    ASSERT_TRUE(story.asks(EnvelopeKind::restart));
    for (int const place : {0, 1}) story.tell(place, EnvelopeKind::restored);
    ASSERT_TRUE(story.asks(EnvelopeKind::begin));
    EXPECT_FALSE(PhaseOrder::of(story.last().number).takes_decision);
    story.end_phase({0, 1});
    ASSERT_TRUE(story.asks(EnvelopeKind::look));
    for (int const place : {0, 1}) {
      story.tell(place, EnvelopeKind::changes, as_message_bytes(std::vector<LoadChange>{}));
    }
    ASSERT_TRUE(story.asks(EnvelopeKind::decide));
    EXPECT_EQ(story.last().number, 1);
  }
}

// What a look costs is worth it where many phases follow, and not for the few that are left.
TEST(Coordinator, knows_after_a_loss_how_many_phases_are_left) {
  WorldPlan plan = plan_of_three("random");
  plan.options.checkpoint.every = 10;
  plan.options.balance.trigger = {
      .when = BalanceWhen::automatic, .look_first_s = 1.0, .waste_max = 10.0};
  Story story(std::move(plan), 100);
  story.post.now_ns = &story.now_ns;
  story.post.sent.push_back({0, {.phase = -1, .number = 0}});
  story.end_phase({0, 1, 2});
  while (story.last().phase < 95) {
    ASSERT_TRUE(story.asks(EnvelopeKind::begin));
    story.end_second({0, 1, 2}, {1.0, 1.0, 1.0});
  }
  story.tell(0, EnvelopeKind::lost, {}, {}, 2);
  ASSERT_TRUE(story.asks(EnvelopeKind::restart));
  for (int const place : {0, 1}) story.tell(place, EnvelopeKind::restored);
  ASSERT_EQ(story.last().phase, 90);

  // A tenth of a phase could be saved in each: over 10 phases no more than the look costs.
  while (story.last().phase < 99) {
    ASSERT_TRUE(story.asks(EnvelopeKind::begin)) << story.last().phase;
    EXPECT_EQ(PhaseOrder::of(story.last().number).measured, Measured::nothing);
    story.end_second({0, 1}, {1.0, 0.8});
  }
}

TEST(Coordinator, ends_a_run_that_has_no_phase_left) {
  WorldPlan plan = plan_of_three("random");
  plan.options.balance.trigger.when = BalanceWhen::automatic;
  plan.first_phase = 5;
  for (std::int64_t const phases : {3, 5}) {
    Story story(plan, phases);
    story.post.sent.push_back({0, {.phase = 4, .number = 0}});
    story.end_phase({0, 1, 2});

    EXPECT_TRUE(story.asks(EnvelopeKind::end)) << phases;
  }
  Story story(plan, 6);
  story.post.sent.push_back({0, {.phase = 4, .number = 0}});
  story.end_phase({0, 1, 2});
  EXPECT_TRUE(story.asks(EnvelopeKind::begin));
}

TEST(Coordinator, counts_no_message_of_the_making_of_objects_for_the_first_phase) {
  Story story;
  std::vector<std::int64_t> messages;
  story.program.after = [&](PhaseReport const& report) {
    messages.push_back(report.messages);
    return Next::stop;
  };
  story.post.sent.push_back({0, {.phase = -1, .number = 0}});
  for (PlaceState& each : story.states) each.counts = {.sent = 7, .processed = 7};
  story.end_phase({0, 1, 2});
  ASSERT_TRUE(story.asks(EnvelopeKind::begin));
  for (PlaceState& each : story.states) each.counts = {.sent = 9, .processed = 9};
  story.end_phase({0, 1, 2});

  EXPECT_EQ(messages, std::vector<std::int64_t>{3 * 2});
}

// What homes are told of restored objects is taken in the first phase after them.
TEST(Coordinator, counts_no_message_of_the_restoring_of_objects_for_the_next_phase) {
  Story story;
  std::vector<std::int64_t> messages;
  story.program.after = [&](PhaseReport const& report) {
    messages.push_back(report.messages);
    return Next::go_on;
  };
  begin_second_phase(story);
  story.tell(0, EnvelopeKind::lost, {}, {}, 2);
  ASSERT_TRUE(story.asks(EnvelopeKind::restart));
  for (int const place : {0, 1}) story.tell(place, EnvelopeKind::restored, {}, {}, 7);
  ASSERT_TRUE(story.asks(EnvelopeKind::begin));
  for (PlaceState& each : story.states) each.counts = {.sent = 9, .processed = 9};
  story.end_phase({0, 1});

  EXPECT_EQ(messages.back(), 2 * 2);
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
