// SPDX-License-Identifier: Apache-2.0
// Goal: a run can be waited for by any number of seconds. Method: numbers that no clock counts, of
// a run that ends and of one that does not.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <limits>

#include "apps/asian/mixed_book.hpp"
#include "makespan/apps/asian/run/pricing_run.hpp"

namespace makespan::asian {
namespace {

TEST(PricingWait, takes_any_time) {
  using Timeout = std::chrono::duration<double>;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  BookColumns const columns = mixed_book();
  for (double const seconds : {infinity, 1e300, 1e10}) {
    PricingRun run{columns.book(), settings_of(Method::mc, false)};
    EXPECT_TRUE(run.wait_for(Timeout{seconds}).done) << seconds;
  }
  Contract contract = monthly_call();
  contract.fixings = 1000;
  contract.paths = std::int64_t{1} << 32;
  BookColumns endless;
  endless.add(contract);
  PricingRun run{endless.book(), settings_of(Method::mc, false)};
  for (double const seconds : {-infinity, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_FALSE(run.wait_for(Timeout{seconds}).done) << seconds;
  }
}

}  // namespace
}  // namespace makespan::asian
