// SPDX-License-Identifier: Apache-2.0
// Goal: what happened at a place is kept in order, and no more of it than there is room for.
// Method: by hand.
#include "makespan/graph/object/detail/place_trace.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace makespan::graph {
namespace {

using SpanKind = PlaceSpan::Kind;

std::vector<PlaceSpan> spans_of(PlaceTrace const& trace) {
  return {trace.spans().begin(), trace.spans().end()};
}

TEST(PlaceTrace, keeps_what_happened_in_order) {
  PlaceTrace trace(10);
  trace.add_phase(0, 5);
  trace.add_method(3, 10, 2000);
  trace.add_arrival(4, 2500);
  trace.add_method(4, 4000, 5000);
  trace.add_decision(6000, 7000);

  EXPECT_EQ(spans_of(trace), (std::vector<PlaceSpan>{{SpanKind::phase, 1, 0, 5, 5},
                                                     {SpanKind::method, 1, 3, 10, 2000},
                                                     {SpanKind::arrival, 1, 4, 2500, 2500},
                                                     {SpanKind::method, 1, 4, 4000, 5000},
                                                     {SpanKind::decision, 1, 0, 6000, 7000}}));
}

TEST(PlaceTrace, draws_methods_of_an_object_in_a_row_as_one) {
  PlaceTrace trace(10);
  trace.add_method(3, 0, 100);
  trace.add_method(3, 150, 300);
  trace.add_method(3, 5000, 5100);  // after a pause
  trace.add_method(4, 5150, 5200);
  trace.add_method(3, 5250, 5300);

  EXPECT_EQ(spans_of(trace), (std::vector<PlaceSpan>{{SpanKind::method, 2, 3, 0, 300},
                                                     {SpanKind::method, 1, 3, 5000, 5100},
                                                     {SpanKind::method, 1, 4, 5150, 5200},
                                                     {SpanKind::method, 1, 3, 5250, 5300}}));
}

TEST(PlaceTrace, counts_what_there_is_no_room_for) {
  PlaceTrace trace(2);
  for (int object = 0; object < 5; ++object) trace.add_method(object, object, object + 1);
  trace.add_phase(1, 10);
  trace.add_method(1, 11, 12);

  EXPECT_EQ(trace.dropped(), 5);
  EXPECT_EQ(trace.spans().size(), 2U);
  EXPECT_EQ(trace.spans().back().end_ns, 2) << "nothing joins what is not the last any more";
}

}  // namespace
}  // namespace makespan::graph
