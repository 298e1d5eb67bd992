// SPDX-License-Identifier: Apache-2.0
// Goal: what places tell the coordinator comes back from bytes, and who is told what is one rule.
// Method: round trips.
#include "makespan/graph/object/message/coordinator_messages.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace makespan::graph {
namespace {

TEST(CoordinatorMessages, are_what_waits_reports_answers_loads_and_what_failed) {
  for (auto const kind : {EnvelopeKind::waiting, EnvelopeKind::report, EnvelopeKind::answer,
                          EnvelopeKind::loads, EnvelopeKind::changes, EnvelopeKind::outcome,
                          EnvelopeKind::saved, EnvelopeKind::failed, EnvelopeKind::lost}) {
    EXPECT_TRUE(is_for_coordinator(kind)) << static_cast<int>(kind);
  }
  for (auto const kind :
       {EnvelopeKind::message, EnvelopeKind::arrival, EnvelopeKind::news, EnvelopeKind::copy,
        EnvelopeKind::decision, EnvelopeKind::decide, EnvelopeKind::begin,
        EnvelopeKind::ask_waiting, EnvelopeKind::question, EnvelopeKind::look, EnvelopeKind::save,
        EnvelopeKind::restart, EnvelopeKind::end, EnvelopeKind::abort}) {
    EXPECT_FALSE(is_for_coordinator(kind)) << static_cast<int>(kind);
  }
}

TEST(CoordinatorMessages, carry_the_state_of_an_image) {
  ImageState const state{.version = 7,
                         .is_idle = true,
                         .places = {{},
                                    {.counts = {.sent = 1, .processed = 2, .kept = 3},
                                     .busy_wall_s = 0.5,
                                     .busy_cpu_s = 0.25,
                                     .gathering_s = 0.125}}};

  auto const got = read_image_state(as_message_bytes(state));

  EXPECT_EQ(got.version, 7);
  EXPECT_TRUE(got.is_idle);
  ASSERT_EQ(got.places.size(), 2U);
  EXPECT_EQ(got.places[1].counts, state.places[1].counts);
  EXPECT_EQ(got.places[1].busy_wall_s, 0.5);
  EXPECT_EQ(got.places[1].busy_cpu_s, 0.25);
  EXPECT_EQ(got.places[1].gathering_s, 0.125);
}

TEST(CoordinatorMessages, carry_loads) {
  ObjectLoads const loads{
      .objects = {{.object = 1, .moves = 2, .cpu_s = 3.0, .bytes = 4.0}, {.object = 5}},
      .traffic = {{.from = 1, .to = 5, .messages = 6.0, .bytes = 7.0}}};

  ObjectLoads const got = read_loads(as_message_bytes(loads));

  ASSERT_EQ(got.objects.size(), 2U);
  EXPECT_EQ(got.objects[0].object, 1);
  EXPECT_EQ(got.objects[0].moves, 2U);
  EXPECT_EQ(got.objects[0].cpu_s, 3.0);
  EXPECT_EQ(got.objects[0].bytes, 4.0);
  EXPECT_EQ(got.objects[1].object, 5);
  ASSERT_EQ(got.traffic.size(), 1U);
  EXPECT_EQ(got.traffic[0].from, 1);
  EXPECT_EQ(got.traffic[0].to, 5);
  EXPECT_EQ(got.traffic[0].messages, 6.0);
  EXPECT_EQ(got.traffic[0].bytes, 7.0);
}

TEST(CoordinatorMessages, carry_decisions) {
  DecisionMessage const message{
      .kind = 3,
      .known = {.objects = {{.object = 1,
                             .place = 2,
                             .to = 3,
                             .moves = 4,
                             .cpu_s = 5.0,
                             .bytes = 6.0,
                             .is_fixed = 1}},
                .work = {7.0},
                .edges = {{.from = 1, .to = 8, .to_place = 9, .messages = 10.0, .bytes = 11.0}}},
      .numbers = {12.0, 13.0}};
  DecisionMessage const got = read_decision(as_message_bytes(message));
  EXPECT_EQ(got.kind, 3);
  ASSERT_EQ(got.known.objects.size(), 1U);
  EXPECT_EQ(got.known.objects[0].to, 3);
  EXPECT_EQ(got.known.objects[0].moves, 4U);
  EXPECT_EQ(got.known.objects[0].is_fixed, 1);
  EXPECT_EQ(got.known.work, message.known.work);
  ASSERT_EQ(got.known.edges.size(), 1U);
  EXPECT_EQ(got.known.edges[0].to_place, 9);
  EXPECT_EQ(got.numbers, message.numbers);

  DecisionOrder const order = read_decision_order(as_message_bytes(DecisionOrder{
      .goes_back = 1, .noise = 0.5, .speeds = {1.0, 2.0}, .availability = {0.25, 1.0}}));
  EXPECT_EQ(order.goes_back, 1);
  EXPECT_EQ(order.noise, 0.5);
  EXPECT_EQ(order.speeds, (std::vector<double>{1.0, 2.0}));
  EXPECT_EQ(order.availability, (std::vector<double>{0.25, 1.0}));

  DecisionWorth const worth = read_worth(as_message_bytes(
      DecisionWorth{.now_s = 1.0, .new_s = 2.0, .migrate_s = 3.0, .moved_bytes = 4.0, .moved = 5}));
  EXPECT_EQ(worth.new_s, 2.0);
  EXPECT_EQ(worth.moved, 5);

  auto const changes = read_changes(as_message_bytes(
      std::vector<LoadChange>{{.place_before = 1, .before_s = 2.0, .now_s = 3.0}}));
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].now_s, 3.0);
}

TEST(CoordinatorMessages, of_a_place_without_objects_carry_nothing) {
  ObjectLoads const got = read_loads(as_message_bytes(ObjectLoads{}));

  EXPECT_TRUE(got.objects.empty());
  EXPECT_TRUE(got.traffic.empty());
}

TEST(CoordinatorMessages, that_end_too_early_are_refused) {
  auto const state = as_message_bytes(ImageState{.places = {{}, {}}});
  auto const loads = as_message_bytes(ObjectLoads{.objects = {{.object = 1}}, .traffic = {{}}});

  EXPECT_THROW(static_cast<void>(read_image_state(std::span(state).first(state.size() - 1))),
               std::out_of_range);
  EXPECT_THROW(static_cast<void>(read_loads(std::span(loads).first(loads.size() - 1))),
               std::out_of_range);
}

}  // namespace
}  // namespace makespan::graph
