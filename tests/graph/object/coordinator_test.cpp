// SPDX-License-Identifier: Apache-2.0
// Goal: a run begins, goes on after a loss without what was under way before, and ends when it
// should. Method: a coordinator of three images of one place, and a test that answers for the
// places.
#include "makespan/graph/object/detail/coordinator.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "graph/object/coordinator_story.hpp"
#include "makespan/base/error.hpp"
#include "makespan/graph/object/message/coordinator_messages.hpp"

namespace makespan::graph {
namespace {

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

// As a wrong or damaged message of another image could be.
TEST(Coordinator, refuses_what_only_places_that_decide_together_tell) {
  Story story;
  begin_second_phase(story);
  story.end_phase({0, 1, 2});
  ASSERT_TRUE(story.asks(EnvelopeKind::look));
  auto const none = as_message_bytes(std::vector<LoadChange>{});

  EXPECT_THROW(for (int const place : {0, 1, 2}) story.tell(place, EnvelopeKind::changes, none),
               InputError);
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
  auto const state = [](std::int64_t version, std::int64_t counted) {
    PlaceState const place{.counts = {.sent = counted, .processed = counted}};
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
