// SPDX-License-Identifier: Apache-2.0
// Goal: spans stay with their thread, and pieces of one task make one span. Method: a few by hand.
#include "makespan/trace/trace.hpp"

#include <gtest/gtest.h>

#include <set>

namespace makespan::trace {
namespace {

Clock::time_point at(int microseconds) {
  return Clock::time_point{} + std::chrono::microseconds(microseconds);
}

Span run(int begin, int end, std::int64_t task) {
  return {.begin = at(begin), .end = at(end), .task = TaskId{task}, .items = 1};
}

TEST(Trace, keeps_the_spans_of_each_thread_in_order) {
  Trace trace(2);
  trace.add(1, {.kind = SpanKind::claim, .begin = at(0), .end = at(5), .items = 3});
  trace.add(1, run(5, 50, 7));

  EXPECT_EQ(trace.threads(), 2);
  EXPECT_TRUE(trace.spans(0).empty());
  ASSERT_EQ(trace.spans(1).size(), 2U);
  EXPECT_EQ(trace.spans(1)[0].kind, SpanKind::claim);
  EXPECT_EQ(trace.spans(1)[0].items, 3);
  EXPECT_EQ(trace.spans(1)[1].task, TaskId{7});
}

TEST(Trace, joins_pieces_that_follow_each_other) {
  Trace trace(1);
  trace.add(0, run(0, 500, 7));
  trace.add(0, run(505, 1000, 7));

  ASSERT_EQ(trace.spans(0).size(), 1U);
  EXPECT_EQ(trace.spans(0)[0].begin, at(0));
  EXPECT_EQ(trace.spans(0)[0].end, at(1000));
  EXPECT_EQ(trace.spans(0)[0].items, 2);
}

TEST(Trace, joins_neither_other_tasks_nor_what_came_later) {
  Trace trace(1);
  trace.add(0, run(0, 500, 7));
  trace.add(0, run(500, 1000, 8));
  trace.add(0, run(1100, 1200, 8));
  trace.add(0, {.kind = SpanKind::idle, .begin = at(1200), .end = at(1300)});
  trace.add(0, {.kind = SpanKind::idle, .begin = at(1300), .end = at(1400)});

  EXPECT_EQ(trace.spans(0).size(), 5U);
}

TEST(Trace, has_a_name_for_each_kind) {
  std::set<std::string_view> names;
  for (SpanKind const kind : {SpanKind::run, SpanKind::claim, SpanKind::steal, SpanKind::idle})
    names.insert(name_of(kind));
  EXPECT_EQ(names, (std::set<std::string_view>{"run", "claim", "steal", "idle"}));
}

}  // namespace
}  // namespace makespan::trace
