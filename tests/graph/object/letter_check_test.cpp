// SPDX-License-Identifier: Apache-2.0
// Goal: a letter whose numbers are no indexes of this run is refused before they are used. Method:
// one good letter of each kind, with one number after the other made wrong.
#include "makespan/graph/object/letter_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "makespan/base/error.hpp"

namespace makespan::graph {
namespace {

constexpr LetterBounds bounds{.place = 0, .places = 4, .images = 2, .objects = 10};

template <class Value>
void expect_refused(Value const& value, std::string const& why, LetterBounds const& here = bounds) {
  try {
    expect_within(here, value);
    ADD_FAILURE() << "passed: " << why;
  } catch (InputError const& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(why));
  }
}

TEST(LetterCheck, passes_what_is_within) {
  for (auto kind = LetterKind::message; kind <= LetterKind::abort;
       kind = static_cast<LetterKind>(static_cast<int>(kind) + 1)) {
    Letter const letter{
        .kind = kind, .from = 3, .number = 1, .targets = {{.object = 9, .place = 3}}};
    EXPECT_NO_THROW(expect_within(bounds, letter)) << static_cast<int>(kind);
  }
}

TEST(LetterCheck, refuses_places_that_there_are_not) {
  expect_refused(Letter{.kind = LetterKind::report, .from = 4}, "place 4");
  expect_refused(Letter{.kind = LetterKind::report, .from = -1}, "place -1");
  for (LetterKind const kind :
       {LetterKind::news, LetterKind::inventory, LetterKind::begin, LetterKind::restart}) {
    expect_refused(Letter{.kind = kind, .targets = {{}, {.place = 4}}}, "place 4");
  }
}

TEST(LetterCheck, refuses_objects_that_there_are_not) {
  for (LetterKind const kind : {LetterKind::message, LetterKind::arrival, LetterKind::news,
                                LetterKind::inventory, LetterKind::begin}) {
    expect_refused(Letter{.kind = kind, .targets = {{.object = 10}}}, "object 10");
    expect_refused(Letter{.kind = kind, .targets = {{.object = -1}}}, "object -1");
  }
}

TEST(LetterCheck, refuses_the_loss_of_an_image_that_there_is_not) {
  expect_refused(Letter{.kind = LetterKind::lost, .number = 2}, "image 2");
}

TEST(LetterCheck, refuses_what_is_for_the_coordinator_where_there_is_none) {
  LetterBounds elsewhere = bounds;
  elsewhere.place = 1;
  expect_refused(Letter{.kind = LetterKind::loads, .from = 2}, "came to place 1", elsewhere);
}

TEST(LetterCheck, refuses_loads_of_others_and_such_that_are_no_numbers) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NO_THROW(expect_within(bounds, LoadsLetter{.objects = {{.object = 9, .cpu_s = 1.0}},
                                                    .traffic = {{.from = 9, .to = 0}}}));
  expect_refused(LoadsLetter{.objects = {{.object = 10}}}, "object 10");
  expect_refused(LoadsLetter{.objects = {{.object = 1, .cpu_s = nan}}}, "object 1");
  expect_refused(LoadsLetter{.objects = {{.object = 1, .bytes = -1.0}}}, "object 1");
  expect_refused(LoadsLetter{.traffic = {{.from = -1}}}, "object -1");
  expect_refused(LoadsLetter{.traffic = {{.to = 10}}}, "object 10");
  expect_refused(LoadsLetter{.traffic = {{.from = 2, .bytes = nan}}}, "object 2");
}

TEST(LetterCheck, refuses_counts_that_sums_would_run_over_with) {
  EXPECT_NO_THROW(expect_within(bounds, PlaceState{.counts = {.sent = 5, .processed = 5}}));
  expect_refused(PlaceState{.counts = {.sent = std::numeric_limits<std::int64_t>::max()}}, "sent");
  expect_refused(PlaceState{.counts = {.kept = -1}}, "-1");
  expect_refused(PlaceState{.busy_wall_s = std::numeric_limits<double>::infinity()}, "seconds");
}

}  // namespace
}  // namespace makespan::graph
