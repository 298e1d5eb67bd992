// SPDX-License-Identifier: Apache-2.0
// Goal: envelopes that no place of this run would send are named errors where they arrive. Method:
// one place in phase 0, with one envelope after the other that is wrong in one thing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/object/still_messenger.hpp"
#include "graph/small_graphs.hpp"
#include "makespan/graph/object/detail/place_core.hpp"
#include "makespan/graph/object/message/coordinator_messages.hpp"

namespace makespan::graph {
namespace {

using testing::HasSubstr;

constexpr std::int64_t last_phase = std::numeric_limits<std::int64_t>::max();

struct Token {
  int value{0};
  void add(ObjectPlace& /*here*/, int what) { value += what; }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(value);
  }
};

Envelope end_of_test() {
  auto const why = std::as_bytes(std::span(std::string_view("the test is over")));
  return {.kind = EnvelopeKind::abort, .phase = -1, .bytes = {why.begin(), why.end()}};
}

// Place 1 of three images; objects 0 and 1 of four are there.
struct OrderedPlace {
  explicit OrderedPlace(std::string const& balancer = "greedy") {
    plan.options.balance.balancer = balancer;
  }

  Collection<Token> tokens{.id = 0, .first = 0, .count = 4};
  WorldPlan plan{
      .collections = {{.name = "tokens",
                       .first = 0,
                       .count = 4,
                       .make_store = [] { return std::make_unique<TypedStore<Token>>(); }}},
      .objects = 4,
      .places = std::make_shared<Places const>(equal_places(3))};
  ObjectProgram program{.create = [this](ObjectPlace& here) {
    for (int const index : {0, 1}) here.create(tokens, index, Token{});
  }};
  StillMessenger post{PlaceNumbers{.place = 1, .threads = 1, .images = 3}};

  // What the place says of these after phase 0 has begun; "" where it takes them.
  std::string failure_of(std::vector<Envelope> envelopes) {
    PlaceCore place{plan, program, post};
    post.sent.clear();
    post.mailbox().put({.kind = EnvelopeKind::begin, .phase = 0});
    for (Envelope& each : envelopes) post.mailbox().put(std::move(each));
    post.mailbox().put(end_of_test());
    EXPECT_ANY_THROW(place.run());
    for (StillMessenger::Sent const& each : post.sent) {
      if (each.envelope.kind != EnvelopeKind::failed) continue;
      auto const& bytes = each.envelope.bytes;
      return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
    }
    return {};
  }
  std::string failure_of(Envelope envelope) {
    std::vector<Envelope> one;
    one.push_back(std::move(envelope));
    return failure_of(std::move(one));
  }
};

Envelope next_phase(Targets targets = {}, std::int64_t number = 0) {
  return {.kind = EnvelopeKind::begin, .phase = 1, .number = number, .targets = std::move(targets)};
}

TEST(PlaceOrders, are_taken_where_they_are_right) {
  OrderedPlace of;
  EXPECT_EQ(of.failure_of(next_phase({{.object = 0, .moves = 2, .place = 2}})), "");
  EXPECT_EQ(of.failure_of({.kind = EnvelopeKind::copy, .from = 0}), "");
  EXPECT_EQ(of.failure_of({.kind = EnvelopeKind::look, .phase = 0}), "");
}

TEST(PlaceOrders, are_those_of_place_0) {
  OrderedPlace of;
  for (EnvelopeKind const kind : {EnvelopeKind::begin, EnvelopeKind::look, EnvelopeKind::save,
                                  EnvelopeKind::restart, EnvelopeKind::end, EnvelopeKind::abort}) {
    EXPECT_THAT(of.failure_of({.kind = kind, .from = 2, .generation = 1, .phase = 1}),
                HasSubstr("an order from place 2"));
  }
}

TEST(PlaceOrders, begin_the_next_phase_where_nothing_is_left_of_this_one) {
  OrderedPlace of;
  for (std::int64_t const phase : {std::int64_t{0}, std::int64_t{2}, last_phase, -last_phase - 1}) {
    EXPECT_THAT(of.failure_of({.kind = EnvelopeKind::begin, .phase = phase}),
                HasSubstr("an order to begin phase " + std::to_string(phase)));
  }
  std::vector<Envelope> early;
  early.push_back({.kind = EnvelopeKind::message,
                   .targets = {{.object = 0, .moves = 1, .place = 1}},
                   .payload = make_payload<&Token::add>(1)});
  early.push_back(next_phase());
  EXPECT_THAT(of.failure_of(std::move(early)), HasSubstr("1 messages left"));
  // An object is still to come when the phase after is to begin.
  std::vector<Envelope> gathering;
  gathering.push_back(next_phase({{.object = 2, .moves = 2, .place = 1}}));
  gathering.push_back({.kind = EnvelopeKind::begin, .phase = 2});
  EXPECT_THAT(of.failure_of(std::move(gathering)), HasSubstr("1 objects to come"));
}

TEST(PlaceOrders, move_objects_from_where_they_are) {
  OrderedPlace of;
  EXPECT_THAT(of.failure_of(next_phase({{.object = 0, .moves = 77, .place = 2}})),
              HasSubstr("bring tokens[0] to place 2 by move 77"));
  EXPECT_THAT(of.failure_of(next_phase({{.object = 1, .moves = 2, .place = 1}})),
              HasSubstr("bring tokens[1] to place 1"));
  EXPECT_THAT(of.failure_of(next_phase({}, phase_orders)), HasSubstr("kind 6"));
}

TEST(PlaceOrders, bring_objects_that_are_not_here) {
  OrderedPlace of;
  for (std::int64_t const number : {0, 1}) {
    EXPECT_THAT(of.failure_of({.kind = EnvelopeKind::arrival,
                               .number = number,
                               .targets = {{.object = 1, .moves = 2, .place = 1}}}),
                HasSubstr("tokens[1] from place 0 (there is one at place 1)"));
  }
  EXPECT_THAT(of.failure_of({.kind = EnvelopeKind::arrival,
                             .number = 1,
                             .targets = {{.object = 2, .moves = 2, .place = 1}}}),
              HasSubstr("the coordinator has not said that it comes"));
}

TEST(PlaceOrders, are_of_no_phase_after_the_next) {
  OrderedPlace of;
  for (EnvelopeKind const kind : {EnvelopeKind::copy, EnvelopeKind::save, EnvelopeKind::look}) {
    EXPECT_THAT(of.failure_of({.kind = kind, .phase = last_phase}),
                HasSubstr("an envelope of phase " + std::to_string(last_phase)));
  }
}

TEST(PlaceOrders, begin_anew_with_this_place_and_from_a_phase_that_was) {
  OrderedPlace of;
  EXPECT_THAT(of.failure_of({.kind = EnvelopeKind::restart, .generation = 1, .phase = last_phase}),
              HasSubstr("begin anew after phase " + std::to_string(last_phase)));
  EXPECT_THAT(of.failure_of({.kind = EnvelopeKind::restart,
                             .generation = 1,
                             .phase = -1,
                             .targets = {{.place = 0}, {.place = 1}, {.place = 2}}}),
              HasSubstr("without that place"));
}

// What place 0 claims of a decision; then the next phase begins, in which it is done.
std::vector<Envelope> decision_of(std::vector<KnownObject> claimed) {
  constexpr std::int32_t claim = 4;  // of gossip
  DecisionOrder const order{.speeds = {1, 1, 1}, .availability = {1, 1, 1}};
  DecisionMessage const message{.kind = claim, .known = {.objects = std::move(claimed)}};
  std::vector<Envelope> envelopes;
  envelopes.push_back(
      {.kind = EnvelopeKind::decide, .number = 1, .bytes = as_message_bytes(order)});
  envelopes.push_back(
      {.kind = EnvelopeKind::decision, .number = 1, .bytes = as_message_bytes(message)});
  envelopes.push_back({.kind = EnvelopeKind::decide, .number = 0});
  envelopes.push_back(next_phase({}, PhaseOrder{.takes_decision = true}.number()));
  return envelopes;
}

TEST(PlaceOrders, carry_out_decisions_about_objects_that_are_here) {
  OrderedPlace of("gossip");
  KnownObject const right{.object = 0, .place = 1, .to = 2, .moves = 1};
  KnownObject elsewhere = right;
  elsewhere.object = 3;
  KnownObject still = right;
  still.to = 1;

  EXPECT_EQ(of.failure_of(decision_of({right})), "");
  EXPECT_THAT(of.failure_of(decision_of({elsewhere})), HasSubstr("decision to move tokens[3]"));
  EXPECT_THAT(of.failure_of(decision_of({still})), HasSubstr("decision to move tokens[0]"));
  EXPECT_THAT(of.failure_of(decision_of({right, right})), HasSubstr("decision to move tokens[0]"));
}

}  // namespace
}  // namespace makespan::graph
