// SPDX-License-Identifier: Apache-2.0
// Goal: a place goes on, or ends, as letters say, in whatever order they come. Method: one place
// whose mail is there already. With others: object_world_test.cpp; in worlds that are drawn:
// tests/swarm.
#include "makespan/graph/object/object_place.hpp"

#include <gtest/gtest.h>

#include <span>
#include <string_view>

#include "graph/object/still_post.hpp"
#include "makespan/graph/object/object_run_failed.hpp"

namespace makespan::graph {
namespace {

Letter abort_letter(std::string_view why) {
  auto const bytes = std::as_bytes(std::span(why));
  return {.kind = LetterKind::abort, .phase = -1, .bytes = {bytes.begin(), bytes.end()}};
}

// Place 1 of two images.
struct SecondPlace {
  WorldPlan plan{};
  ObjectProgram program{};
  StillPost post{PlaceNumbers{.place = 1, .threads = 1, .images = 2}};
  ObjectPlace place{plan, program, post};
};

TEST(ObjectPlace, ends_when_an_abort_overtakes_what_was_to_go_on) {
  SecondPlace second;
  second.post.mailbox().put(abort_letter("place 0 has failed"));
  second.post.mailbox().put({.kind = LetterKind::begin, .phase = 0});

  EXPECT_THROW(second.place.run(), ObjectRunFailed);
}

TEST(ObjectPlace, ends_when_it_is_told) {
  SecondPlace second;
  second.post.mailbox().put({.kind = LetterKind::begin, .phase = 0});
  second.post.mailbox().put({.kind = LetterKind::end, .phase = 0});

  EXPECT_NO_THROW(second.place.run());
}

}  // namespace
}  // namespace makespan::graph
