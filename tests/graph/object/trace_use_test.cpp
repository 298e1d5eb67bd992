// SPDX-License-Identifier: Apache-2.0
// Goal: the environment names a trace where the program does not. Method: each in turn.
#include "makespan/graph/object/trace_use.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace makespan::graph {
namespace {

TEST(TraceUse, is_what_the_program_says_or_the_environment) {
  EXPECT_TRUE(asked_trace({}).file.empty());
  EXPECT_EQ(asked_trace({.file = "mine.json"}).file, "mine.json");

  ::setenv("MAKESPAN_TRACE", "theirs.json", 1);
  EXPECT_EQ(asked_trace({}).file, "theirs.json");
  EXPECT_EQ(asked_trace({.file = "mine.json", .spans_max = 7}).file, "mine.json");
  EXPECT_TRUE(asked_trace({.file = "none"}).file.empty());
  ::unsetenv("MAKESPAN_TRACE");
}

}  // namespace
}  // namespace makespan::graph
