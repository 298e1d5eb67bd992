// SPDX-License-Identifier: Apache-2.0
// Goal: targets are what they were made of, however many, when they are copied, moved and assigned.
#include "makespan/graph/object/message/detail/targets.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace makespan::graph {
namespace {

std::vector<Target> numbered(int count) {
  std::vector<Target> targets;
  for (int at = 0; at < count; ++at) {
    targets.push_back({.object = at, .moves = 7, .place = 100 + at});
  }
  return targets;
}

void expect_numbered(Targets const& targets, int count) {
  ASSERT_EQ(targets.size(), static_cast<std::size_t>(count));
  EXPECT_EQ(targets.empty(), count == 0);
  int at = 0;
  for (Target const& each : targets) {
    EXPECT_EQ(each.object, at);
    EXPECT_EQ(each.moves, 7U);
    EXPECT_EQ(each.place, 100 + at);
    ++at;
  }
}

TEST(Targets, are_copied_moved_and_assigned_however_many) {
  for (int const count : {0, 1, 2, 3, 1000}) {
    std::vector<Target> const from = numbered(count);
    Targets targets{std::span(from)};
    expect_numbered(targets, count);

    Targets const copy = targets;
    expect_numbered(copy, count);
    expect_numbered(targets, count);

    Targets moved = std::move(targets);
    expect_numbered(moved, count);
    EXPECT_TRUE(targets.empty());  // NOLINT(bugprone-use-after-move): as said

    for (int const before : {0, 1, 5}) {
      std::vector<Target> const some = numbered(before);
      Targets other{std::span(some)};
      other = copy;
      expect_numbered(other, count);
      other = std::move(moved);
      expect_numbered(other, count);
      moved = std::move(other);
    }
  }
}

TEST(Targets, of_a_number_are_of_nothing_until_they_are_written) {
  Targets targets(3);
  for (Target const& each : targets) EXPECT_EQ(each.object, 0);

  int at = 0;
  for (Target& each : targets) each = {.object = at++, .moves = 7, .place = 99 + at};
  expect_numbered(targets, 3);
}

TEST(Targets, of_a_list_begin_with_its_first) {
  Targets const targets{{.object = 4}, {.object = 2}};
  EXPECT_EQ(targets.size(), 2U);
  EXPECT_EQ(targets.front().object, 4);
}

}  // namespace
}  // namespace makespan::graph
