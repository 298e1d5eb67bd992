// SPDX-License-Identifier: Apache-2.0
// Goal: the bound is below the price by no more than it is known to be, and exact where it can be.
// Method: prices of the one-dimensional recursion of tests/python/oracle, to 10 digits; the bound's
// own formula, evaluated with numpy and scipy for the weights
// that the control has (w_i F_i); put-call parity; Black's formula; every instruction set.
#include "makespan/apps/asian/estimate/lower_bound.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "apps/asian/sample_contracts.hpp"
#include "makespan/simd/portable_math.hpp"

namespace makespan::asian {
namespace {

double bound_of(Contract const& contract, Kernels const& kernels = *Kernels::available().front()) {
  Laid const known = laid(contract);
  std::vector<double> work;
  return known.law.discount * contract.spot * lower_bound(known.law, known.schedule, kernels, work);
}

struct Known {
  double volatility;
  double side;
  double price;
  double bound;
};

TEST(LowerBound, is_just_below_the_price) {
  for (auto const& [volatility, side, price, bound] :
       {Known{0.1, 1, 3.1818268502851614, 3.1817695753165856},
        Known{0.1, -1, 1.6353930345965404, 1.6353357596279643},
        Known{0.2, 1, 5.465282011209522, 5.464839681160756},
        Known{0.2, -1, 3.918848195520902, 3.91840586547214},
        Known{0.5, 1, 12.358288585321064, 12.351431277771148},
        Known{0.5, -1, 10.811854769632443, 10.804997462082543}}) {
    Contract contract = monthly_call();
    contract.volatility = volatility;
    contract.side = side;
    double const ours = bound_of(contract);

    EXPECT_NEAR(ours, bound, 1e-10);
    EXPECT_LT(ours, price);
    EXPECT_GT(ours, price - 0.056 * volatility * volatility * volatility - 1e-5);
  }
}

TEST(LowerBound, is_right_for_seasoned_contracts_and_those_with_a_fixing_now) {
  Contract past = monthly_call();
  past.fixings = 10;
  past.past_count = 2;
  past.past_sum = 160;
  past.expiry = past.last_fixing = 10.0 / 12;
  EXPECT_NEAR(bound_of(past), 2.748665300966632, 1e-10);

  Contract now = put(with_start(monthly_call()));
  now.rate = 0.05;
  now.drift = 0.02;
  now.volatility = 0.3;
  now.strike = 105;
  now.expiry = 1.25;
  EXPECT_NEAR(bound_of(now), 8.635830166214825, 1e-10);
}

TEST(LowerBound, is_right_for_daily_fixings) {
  Contract contract = monthly_call();
  contract.rate = contract.drift = 0.05;
  contract.fixings = 365;
  contract.first_fixing = 1.0 / 365;

  EXPECT_NEAR(bound_of(contract), 5.775618016834123, 1e-10);
}

TEST(LowerBound, keeps_put_call_parity) {
  for (double const strike : {60.0, 95.0, 100.0, 110.0, 200.0}) {
    for (Contract contract : {monthly_call(), with_start(seasoned(monthly_call()))}) {
      contract.strike = strike;
      Laid const known = laid(contract);
      double const forward =
          100 * known.law.discount * (known.law.forward.average - known.law.arithmetic.level);

      EXPECT_NEAR(bound_of(contract) - bound_of(put(contract)), forward, 1e-11) << strike;
    }
  }
}

TEST(LowerBound, of_one_fixing_is_Blacks_price) {
  for (double const strike : {50.0, 100.0, 180.0}) {
    Contract contract = monthly_call();
    contract.strike = strike;
    contract.fixings = 1;
    contract.first_fixing = contract.last_fixing = 0.7;
    double const deviation = 0.2 * std::sqrt(0.7);
    double const forward = 100 * std::exp(0.03 * 0.7);
    double const d = std::log(forward / strike) / deviation;
    double const black = forward * simd::normal_cdf(d + deviation / 2) -
                         strike * simd::normal_cdf(d - deviation / 2);

    EXPECT_NEAR(bound_of(contract), std::exp(-0.06) * black, 1e-11) << strike;
  }
}

TEST(LowerBound, is_finite_and_ordered_at_the_ends_of_its_range) {
  for (double const volatility : {1e-4, 0.05, 1.0, 5.0}) {
    for (double const strike : {1e-3, 50.0, 100.0, 1000.0, 1e6}) {
      Contract contract = monthly_call();
      contract.volatility = volatility;
      contract.strike = strike;
      double const call_bound = bound_of(contract);
      double const put_bound = bound_of(put(contract));

      EXPECT_GE(call_bound, -1e-10) << volatility << ' ' << strike;
      EXPECT_LE(call_bound, 100 * 1.04) << volatility << ' ' << strike;
      EXPECT_GE(put_bound, -1e-10) << volatility << ' ' << strike;
      EXPECT_LE(put_bound, strike) << volatility << ' ' << strike;
    }
  }
}

TEST(LowerBound, has_the_same_bits_on_every_instruction_set) {
  for (std::int64_t const fixings : {2, 12, 13, 365}) {
    Contract contract = monthly_call();
    contract.fixings = fixings;
    double const expected = bound_of(contract, *Kernels::available().back());
    for (Kernels const* kernels : Kernels::available()) {
      EXPECT_EQ(bound_of(contract, *kernels), expected) << kernels->isa;
    }
  }
}

}  // namespace
}  // namespace makespan::asian
