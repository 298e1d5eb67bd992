// SPDX-License-Identifier: Apache-2.0
// Goal: an envelope whose numbers are no indexes of this run is refused before they are used.
// Method: one good envelope of each kind, with one number after the other made wrong.
#include "makespan/graph/object/message/envelope_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "makespan/base/error.hpp"

namespace makespan::graph {
namespace {

constexpr EnvelopeBounds bounds{.place = 0, .places = 4, .images = 2, .objects = 10};

template <class Value>
void expect_refused(Value const& value, std::string const& why,
                    EnvelopeBounds const& here = bounds) {
  try {
    expect_within(here, value);
    ADD_FAILURE() << "passed: " << why;
  } catch (InputError const& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(why));
  }
}

TEST(EnvelopeCheck, passes_what_is_within) {
  for (auto kind = EnvelopeKind::message; kind <= EnvelopeKind::abort;
       kind = static_cast<EnvelopeKind>(static_cast<int>(kind) + 1)) {
    // Orders are place 0's.
    Envelope const envelope{.kind = kind,
                            .from = kind < EnvelopeKind::begin ? 3 : 0,
                            .number = 1,
                            .targets = {{.object = 9, .moves = 1, .place = 3}}};
    EXPECT_NO_THROW(expect_within(bounds, envelope)) << static_cast<int>(kind);
  }
}

TEST(EnvelopeCheck, refuses_places_that_there_are_not) {
  expect_refused(Envelope{.kind = EnvelopeKind::report, .from = 4}, "place 4");
  expect_refused(Envelope{.kind = EnvelopeKind::report, .from = -1}, "place -1");
  for (EnvelopeKind const kind :
       {EnvelopeKind::news, EnvelopeKind::waiting, EnvelopeKind::begin, EnvelopeKind::restart}) {
    expect_refused(Envelope{.kind = kind, .targets = {{}, {.place = 4}}}, "place 4");
  }
}

TEST(EnvelopeCheck, refuses_objects_that_there_are_not) {
  for (EnvelopeKind const kind : {EnvelopeKind::message, EnvelopeKind::arrival, EnvelopeKind::news,
                                  EnvelopeKind::waiting, EnvelopeKind::begin}) {
    expect_refused(Envelope{.kind = kind, .targets = {{.object = 10}}}, "object 10");
    expect_refused(Envelope{.kind = kind, .targets = {{.object = -1}}}, "object -1");
  }
}

TEST(EnvelopeCheck, refuses_the_loss_of_an_image_that_there_is_not) {
  expect_refused(Envelope{.kind = EnvelopeKind::lost, .number = 2}, "image 2");
  // Then no image would be left to which it could be told.
  expect_refused(Envelope{.kind = EnvelopeKind::lost, .number = 0}, "the loss of image 0");
}

TEST(EnvelopeCheck, refuses_orders_of_other_places_than_0) {
  for (auto kind = EnvelopeKind::begin; kind <= EnvelopeKind::abort;
       kind = static_cast<EnvelopeKind>(static_cast<int>(kind) + 1)) {
    expect_refused(Envelope{.kind = kind, .from = 3}, "an order from place 3");
  }
  expect_refused(Envelope{.kind = EnvelopeKind::begin, .number = phase_orders}, "kind 6");
  expect_refused(Envelope{.kind = EnvelopeKind::begin, .number = -1}, "kind -1");
}

TEST(EnvelopeCheck, refuses_phases_after_the_next) {
  constexpr std::int64_t far = std::numeric_limits<std::int64_t>::max();
  for (std::int64_t const phase : {-far - 1, std::int64_t{-1}, std::int64_t{4}, std::int64_t{5}}) {
    EXPECT_NO_THROW(expect_phase({.kind = EnvelopeKind::copy, .phase = phase}, 4));
  }
  EXPECT_THROW(expect_phase({.kind = EnvelopeKind::copy, .phase = 6}, 4), InputError);
  EXPECT_THROW(expect_phase({.kind = EnvelopeKind::copy, .phase = far}, -1), InputError);
}

TEST(EnvelopeCheck, refuses_failures_of_no_kind) {
  EXPECT_NO_THROW(expect_within(bounds, Envelope{.kind = EnvelopeKind::failed, .number = 1}));
  expect_refused(Envelope{.kind = EnvelopeKind::failed, .number = 2}, "kind 2");
  expect_refused(Envelope{.kind = EnvelopeKind::failed, .number = -1}, "kind -1");
}

TEST(EnvelopeCheck, refuses_an_object_that_comes_without_having_moved) {
  expect_refused(Envelope{.kind = EnvelopeKind::arrival, .targets = {{.object = 1}}},
                 "has not moved");
}

TEST(EnvelopeCheck, refuses_numbers_of_messages_that_cannot_be_added_up) {
  constexpr std::int64_t most = (std::int64_t{1} << 62) / bounds.places;
  auto const state = [](std::int64_t count) {
    PlaceState const counted{.counts = {.sent = count, .processed = count}};
    return ImageState{.is_idle = true, .places = {counted, {}}};
  };
  // A place that sends 20 million a second does so for thousands of years.
  EXPECT_NO_THROW(expect_within(bounds, state(most)));
  expect_refused(state(most + 1), "counts from 0");
  expect_refused(state(-1), "counts from 0");
  EXPECT_NO_THROW(expect_within(bounds, Envelope{.kind = EnvelopeKind::restored, .number = most}));
  expect_refused(Envelope{.kind = EnvelopeKind::restored, .number = most + 1}, "messages");
  expect_refused(Envelope{.kind = EnvelopeKind::restored, .number = -1}, "messages -1");
}

TEST(EnvelopeCheck, refuses_what_is_for_the_coordinator_where_there_is_none) {
  EnvelopeBounds elsewhere = bounds;
  elsewhere.place = 1;
  expect_refused(Envelope{.kind = EnvelopeKind::loads, .from = 2}, "came to place 1", elsewhere);
}

TEST(EnvelopeCheck, refuses_loads_of_others_and_such_that_are_no_numbers) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NO_THROW(expect_within(bounds, ObjectLoads{.objects = {{.object = 9, .cpu_s = 1.0}},
                                                    .traffic = {{.from = 9, .to = 0}}}));
  expect_refused(ObjectLoads{.objects = {{.object = 10}}}, "object 10");
  expect_refused(ObjectLoads{.objects = {{.object = 1, .cpu_s = nan}}}, "object 1");
  expect_refused(ObjectLoads{.objects = {{.object = 1, .bytes = -1.0}}}, "object 1");
  expect_refused(ObjectLoads{.traffic = {{.from = -1}}}, "object -1");
  expect_refused(ObjectLoads{.traffic = {{.to = 10}}}, "object 10");
  expect_refused(ObjectLoads{.traffic = {{.from = 2, .bytes = nan}}}, "object 2");
}

TEST(EnvelopeCheck, refuses_decisions_about_what_there_is_not) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  auto const with = [](KnownObjects known) { return DecisionMessage{.known = std::move(known)}; };
  EXPECT_NO_THROW(expect_within(
      bounds, with({.objects = {{.object = 9, .place = 1, .to = 2}}, .work = {1.0}})));
  expect_refused(with({.objects = {{.object = 10}}, .work = {1.0}}), "object 10");
  expect_refused(with({.objects = {{.object = 1, .place = -1}}, .work = {1.0}}), "place -1");
  expect_refused(with({.objects = {{.object = 1, .to = bounds.places}}, .work = {1.0}}), "place");
  expect_refused(with({.objects = {{.object = 1, .bytes = nan}}, .work = {1.0}}), "object 1");
  expect_refused(with({.objects = {{.object = 1}}, .work = {1.0, 2.0}}), "work");
  expect_refused(with({.objects = {{.object = 1}}, .work = {-1.0}}), "work");
  expect_refused(with({.edges = {{.from = 10}}}), "object 10");
  expect_refused(with({.edges = {{.to_place = bounds.places}}}), "place");
  expect_refused(with({.edges = {{.from = 2, .messages = nan}}}), "object 2");
  expect_refused(DecisionMessage{.numbers = {nan}}, "numbers");

  EXPECT_NO_THROW(expect_within(bounds, DecisionWorth{.now_s = 1.0, .moved = 10}));
  expect_refused(DecisionWorth{.new_s = -1.0}, "worth");
  expect_refused(DecisionWorth{.moved = 11}, "worth");

  EXPECT_NO_THROW(expect_within(bounds, std::vector<LoadChange>{{.place_before = 1}}));
  expect_refused(std::vector<LoadChange>{{.place_before = -1}}, "place -1");
  expect_refused(std::vector<LoadChange>{{.place_before = 1, .now_s = nan}}, "place 1");
}

TEST(EnvelopeCheck, refuses_decisions_that_begin_with_other_speeds_than_there_are_places) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> const ones(static_cast<std::size_t>(bounds.places), 1.0);
  auto const with = [&](double speed, double share, double noise = 0.0) {
    DecisionOrder order{.noise = noise, .speeds = ones, .availability = ones};
    order.speeds.back() = speed;
    order.availability.back() = share;
    return order;
  };
  EXPECT_NO_THROW(expect_within(bounds, with(2.5, 0.5, 0.1)));
  expect_refused(DecisionOrder{}, "0 speeds");
  expect_refused(DecisionOrder{.speeds = ones, .availability = {1.0}}, "1 shares of cores");
  expect_refused(DecisionOrder{.speeds = {1.0}, .availability = ones}, "1 speeds");
  for (double const none : {0.0, -1.0, nan, std::numeric_limits<double>::infinity()}) {
    expect_refused(with(none, 1.0), "place 3 has no speed");
    expect_refused(with(1.0, none), "place 3 has no speed");
  }
  expect_refused(with(1e-200, 1e-200), "place 3 has no speed");
  expect_refused(with(1e200, 1e200), "place 3 has no speed");
  expect_refused(with(1.0, 1.0, nan), "noise");
  expect_refused(with(1.0, 1.0, -1.0), "noise");
  DecisionOrder odd = with(1.0, 1.0);
  odd.goes_back = 2;
  expect_refused(odd, "of no kind");
}

TEST(EnvelopeCheck, refuses_steps_of_decisions_that_cannot_come_next) {
  constexpr DecisionStage none{.steps = 3};
  constexpr DecisionStage first{.steps = 3, .now = 1};
  constexpr DecisionStage last{.steps = 3, .now = 3};
  EXPECT_NO_THROW(expect_next_step(none, 1));
  EXPECT_NO_THROW(expect_next_step(first, 2));
  EXPECT_NO_THROW(expect_next_step(first, 0)) << "on the way back it has one";
  EXPECT_NO_THROW(expect_next_step(last, 0));
  EXPECT_NO_THROW(expect_deciding(first));
  EXPECT_NO_THROW(expect_together(none, "moves"));
  for (auto const& [stage, step] : {std::pair{none, 0},
                                    {none, 2},
                                    {none, -1},
                                    {first, 1},
                                    {first, 3},
                                    {last, 4},
                                    {DecisionStage{}, 1}}) {
    EXPECT_THROW(expect_next_step(stage, step), InputError) << stage.now << " " << step;
  }
  EXPECT_THROW(expect_deciding(none), InputError);
  EXPECT_THROW(expect_together({}, "moves"), InputError);
}

TEST(EnvelopeCheck, refuses_counts_that_sums_would_run_over_with) {
  auto const with = [](PlaceState const& first) {
    std::vector<PlaceState> places(static_cast<std::size_t>(bounds.places / bounds.images));
    places[0] = first;
    return ImageState{.is_idle = true, .places = std::move(places)};
  };
  EXPECT_NO_THROW(expect_within(bounds, with({.counts = {.sent = 5, .processed = 5}})));
  expect_refused(with({.counts = {.sent = std::numeric_limits<std::int64_t>::max()}}), "sent");
  expect_refused(with({.counts = {.kept = -1}}), "-1");
  EXPECT_NO_THROW(expect_within(bounds, with({.busy_wall_s = 1e9, .gathering_s = 1e9})));
  for (double const seconds : {std::numeric_limits<double>::infinity(), -1.0, 1.7e308}) {
    expect_refused(with({.busy_wall_s = seconds}), "seconds");
    expect_refused(with({.busy_cpu_s = seconds}), "seconds");
    expect_refused(with({.gathering_s = seconds}), "seconds");
    expect_refused(ObjectLoads{.objects = {{.object = 1, .cpu_s = seconds}}}, "object 1");
    expect_refused(std::vector<LoadChange>{{.place_before = 1, .now_s = seconds}}, "place 1");
  }
}

TEST(EnvelopeCheck, refuses_states_of_other_places_than_an_image_has) {
  EXPECT_NO_THROW(expect_within(bounds, ImageState{}));
  expect_refused(ImageState{.is_idle = true}, "0 places");
  expect_refused(ImageState{.places = {{}}}, "1 places");
}

}  // namespace
}  // namespace makespan::graph
