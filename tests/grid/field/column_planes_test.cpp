// SPDX-License-Identifier: Apache-2.0
// Goal: threads go up many planes, unless they would be few or blocks too many.
#include "makespan/grid/field/column_planes.hpp"

#include <gtest/gtest.h>

namespace makespan::grid {
namespace {

TEST(ColumnPlanes, are_many_unless_threads_would_be_few) {
  EXPECT_EQ(column_planes({{}, {1, 1, 1}}, 1, 64), 8);
  EXPECT_EQ(column_planes({{}, {128, 128, 256}}, 1, 64), 16);
  EXPECT_EQ(column_planes({{}, {128, 128, 512}}, 2, 64), 16);
  EXPECT_EQ(column_planes({{}, {512, 512, 512}}, 1, 64), 64);
  EXPECT_EQ(column_planes({{}, {512, 512, 512}}, 1, 32), 32);
  EXPECT_EQ(column_planes({{}, {1, 1, 600'000}}, 1, 64), 10) << "65,535 blocks";
}

}  // namespace
}  // namespace makespan::grid
