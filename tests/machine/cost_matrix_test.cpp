// SPDX-License-Identifier: Apache-2.0
#include "makespan/machine/cost_matrix.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "makespan/base/error.hpp"

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

TEST(CostMatrix, is_one_over_places_that_are_there) {
  EXPECT_NO_THROW(check({.from = {1, 2}, .to = {1, 2}, .values = {0, 1, 1, 0}}, 3));
  EXPECT_NO_THROW(check({.from = {0}, .to = {1, 2}, .values = {0, 1}}, 3));
  EXPECT_NO_THROW(check({}, 0));

  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<std::pair<CostMatrix, std::string>> const refused{
      {{.from = {1, 2}, .to = {1, 2}, .values = {0, 1, 1}}, "3 values for 2 rows and 2 columns"},
      {{.from = {1}, .to = {}, .values = {1}}, "1 values for 1 rows and 0 columns"},
      {{.from = {1}, .to = {2}, .values = {1, 2}}, "2 values for 1 rows and 1 columns"},
      {{.from = {1, 3}, .to = {1, 3}, .values = {0, 1, 1, 0}}, "place 3, and there are 3"},
      {{.from = {1}, .to = {-1}, .values = {1}}, "place -1, and there are 3"},
      {{.from = {1, 1}, .to = {1, 1}, .values = {0, 1, 1, 0}}, "place 1 twice"},
      {{.from = {1, 2}, .to = {2}, .values = {1, 1}}, "place 2 twice"},
      {{.from = {1}, .to = {2}, .values = {-1e-9}}, "the value -0.0"},
      {{.from = {1}, .to = {2}, .values = {infinity}}, "the value inf"},
      {{.from = {1}, .to = {2}, .values = {-infinity}}, "the value -inf"},
      {{.from = {1}, .to = {2}, .values = {std::numeric_limits<double>::quiet_NaN()}}, "nan"},
  };
  for (auto const& [matrix, why] : refused) {
    EXPECT_THAT([&] { check(matrix, 3); },
                testing::ThrowsMessage<InputError>(testing::HasSubstr(why)));
  }
}

}  // namespace
}  // namespace makespan::machine
