// SPDX-License-Identifier: Apache-2.0
// Goal: fixing times are the book's. Method: grids small enough to write down.
#include "makespan/apps/asian/contract/contract.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "apps/asian/sample_contracts.hpp"

namespace makespan::asian {
namespace {

TEST(Contract, spaces_fixings_equally_and_hits_both_ends) {
  Contract contract = monthly_call();
  contract.fixings = 4;
  contract.first_fixing = 0.1;
  contract.last_fixing = 0.7;

  EXPECT_EQ(fixing_time(contract, 0), 0.1);
  EXPECT_DOUBLE_EQ(fixing_time(contract, 1), 0.3);
  EXPECT_DOUBLE_EQ(fixing_time(contract, 2), 0.5);
  EXPECT_EQ(fixing_time(contract, 3), 0.7);
}

TEST(Contract, ends_exactly_at_the_last_fixing_for_any_count) {
  Contract contract = monthly_call();
  for (std::int64_t count = 2; count < 400; ++count) {
    contract.fixings = count;
    contract.first_fixing = 1.0 / static_cast<double>(count);
    EXPECT_EQ(fixing_time(contract, count - 1), contract.last_fixing);
    EXPECT_LT(fixing_time(contract, count - 2), contract.last_fixing);
  }
}

TEST(Contract, has_its_one_fixing_last) {
  Contract contract = monthly_call();
  contract.fixings = 1;
  contract.first_fixing = contract.last_fixing = 0.4;

  EXPECT_EQ(fixing_time(contract, 0), 0.4);
}

TEST(Contract, takes_times_that_are_named) {
  std::vector<double> const times{0, 0.2, 0.9};
  Contract contract = monthly_call();
  contract.fixings = 3;
  contract.times = times;

  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(fixing_time(contract, static_cast<std::int64_t>(i)), times[i]);
  }
}

}  // namespace
}  // namespace makespan::asian
