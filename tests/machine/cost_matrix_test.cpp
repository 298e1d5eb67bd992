// SPDX-License-Identifier: Apache-2.0
#include "makespan/machine/cost_matrix.hpp"

#include <gtest/gtest.h>

namespace makespan::machine {
namespace {

TEST(CostMatrix, holds_a_row_for_each_place_of_from) {
  CostMatrix const matrix{.from = {4, 6}, .to = {1, 2, 3}, .values = {1, 2, 3, 4, 5, 6}};

  EXPECT_EQ(matrix.at(0, 2), 3.0);
  EXPECT_EQ(matrix.at(1, 0), 4.0);
}

TEST(CostMatrix, has_a_unit_if_it_was_measured_by_us) {
  EXPECT_TRUE(has_unit({.name = std::string(core_latency_name), .kind = CostKind::latency}));
  EXPECT_FALSE(has_unit({.name = "NUMALatency", .kind = CostKind::latency}));
  EXPECT_FALSE(has_unit({.name = "makespan:hops", .kind = CostKind::other}));
}

}  // namespace
}  // namespace makespan::machine
