// SPDX-License-Identifier: Apache-2.0
// Goal: a column keeps the planes that are read above and below a point, and no others.
#include "makespan/grid/compile/detail/column_queues.hpp"

#include <gtest/gtest.h>

#include "makespan/grid/program/program_builder.hpp"
#include "star_program.hpp"

namespace makespan::grid {
namespace {

TEST(ColumnQueues, hold_the_planes_that_are_read_at_a_points_own_place) {
  auto const queues = column_queues(CheckedProgram(star(3)));
  ASSERT_TRUE(queues[0]);
  EXPECT_EQ(queues[0]->low, -3);
  EXPECT_EQ(queues[0]->high, 3);
  EXPECT_EQ(queues[0]->planes(), 7);
}

TEST(ColumnQueues, are_of_fields_with_such_planes) {
  ProgramBuilder make({"u", "v"}, 2);
  make.update(0, make.load(0, {0, 0, 2}) + make.load(1, {1, 0, 0}));
  make.update(1, make.load(0, {0, 0, 1}) - make.load(1, {0, -2, 1}));
  auto const queues = column_queues(CheckedProgram(make.program()));
  ASSERT_TRUE(queues[0]);
  EXPECT_EQ(queues[0]->low, 1);
  EXPECT_EQ(queues[0]->planes(), 2);
  EXPECT_FALSE(queues[1]);
}

}  // namespace
}  // namespace makespan::grid
