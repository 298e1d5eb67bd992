// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/run/detail/row_kind.hpp"

#include <gtest/gtest.h>

#include "apps/asian/sample_contracts.hpp"

namespace makespan::asian {
namespace {

EstimatorSettings with(Method method) {
  EstimatorSettings settings;
  settings.method = method;
  return settings;
}

Contract to_an_error(Contract contract, double std_error) {
  contract.paths = 0;
  contract.std_error = std_error;
  return contract;
}

TEST(RowKind, automatic_solves_to_an_error_and_simulates_a_number_of_paths) {
  Contract const call = monthly_call();
  EXPECT_EQ(row_kind(to_an_error(call, 0.01), with(Method::automatic)), RowKind::recursion);
  EXPECT_EQ(row_kind(call, with(Method::automatic)), RowKind::simulated);
  EXPECT_EQ(row_kind(call, with(Method::exact)), RowKind::recursion);
  EXPECT_EQ(row_kind(to_an_error(call, 0.01), with(Method::mc)), RowKind::simulated);
  EXPECT_EQ(row_kind(geometric(call), with(Method::automatic)), RowKind::closed_form);
  EXPECT_EQ(row_kind(geometric(call), with(Method::mc_plain)), RowKind::simulated);
}

TEST(RowKind, automatic_simulates_what_moves_too_far) {
  Contract wild = to_an_error(monthly_call(), 0.01);
  wild.volatility = 2.5;
  EXPECT_EQ(row_kind(wild, with(Method::automatic)), RowKind::simulated);
  EXPECT_EQ(row_kind(wild, with(Method::exact)), RowKind::recursion);
}

// Where far fewer paths than a pilot's are allowed, simulating takes much less time.
TEST(RowKind, automatic_simulates_what_may_have_few_paths) {
  Contract daily = to_an_error(monthly_call(), 0.01);
  daily.fixings = 365;
  daily.first_fixing = 1.0 / 365;
  EXPECT_EQ(row_kind(daily, with(Method::automatic)), RowKind::recursion);
  daily.max_paths = 100;
  EXPECT_EQ(row_kind(daily, with(Method::automatic)), RowKind::simulated);
  EXPECT_EQ(row_kind(daily, with(Method::exact)), RowKind::recursion);
}

TEST(RowKind, tolerance_follows_a_wish_below_the_usual_one) {
  EXPECT_EQ(recursion_tolerance(monthly_call()), 1e-8);
  EXPECT_EQ(recursion_tolerance(to_an_error(monthly_call(), 0.01)), 1e-8);
  EXPECT_LT(recursion_tolerance(to_an_error(monthly_call(), 1e-7)), 1e-8);
}

}  // namespace
}  // namespace makespan::asian
