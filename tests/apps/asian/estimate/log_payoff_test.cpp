// SPDX-License-Identifier: Apache-2.0
// Goal: closed forms of geometric options are right, with all Greeks. Method: published values;
// central differences of the price for price and strike payoffs, fresh, seasoned, with a fixing
// now; put-call parity. The means of the controls: payoff_test.cpp.
#include "makespan/apps/asian/estimate/log_payoff.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "apps/asian/price_differences.hpp"
#include "apps/asian/sample_contracts.hpp"
#include "makespan/base/contracts.hpp"

namespace makespan::asian {
namespace {

Outputs log_greeks_of(Contract const& contract) {
  ContractLaw const law = laid(contract).law;
  return in_price_units(log_outputs(law, contract.payoff), contract, law.discount);
}
double log_price_of(Contract const& contract) {
  return log_greeks_of(contract)[price];
}

TEST(LogPayoff, gives_the_price_of_clewlow_and_strickland) {
  // L. Clewlow, C. Strickland, Implementing Derivatives Models (1998), pp. 118-123.
  Contract contract = geometric(monthly_call());
  contract.fixings = 10;
  contract.first_fixing = 0.1;

  EXPECT_NEAR(log_price_of(contract), 5.3425606635, 1e-10);
}

TEST(LogPayoff, gives_the_price_of_haug_with_daily_fixings) {
  // E. G. Haug, The Complete Guide to Option Pricing Formulas, pp. 96-97 has 4.6922 for a
  // continuous average; row R002 of tests/data/asian_prices.csv has it with 91 fixings.
  Contract contract = put(geometric(monthly_call()));
  contract.spot = 80;
  contract.strike = 85;
  contract.rate = 0.05;
  contract.drift = 0.08;
  contract.expiry = contract.last_fixing = 0.25;
  contract.fixings = 91;
  contract.first_fixing = 0;
  EXPECT_NEAR(log_price_of(contract), 4.68933073787278, 1e-11);

  contract.fixings = 1'000'000;
  EXPECT_NEAR(log_price_of(contract), 4.69222131224534, 1e-6);
}

TEST(LogPayoff, gives_the_price_of_an_average_strike) {
  // Row R004 of tests/data/asian_prices.csv, by Margrabe's formula.
  Contract contract = on_strike(geometric(monthly_call()), 1);
  contract.fixings = 10;
  contract.first_fixing = 0.1;

  EXPECT_NEAR(log_price_of(contract), 4.95620159631117, 1e-12);
}

std::vector<Contract> geometric_contracts() {
  std::vector<Contract> all;
  for (Contract base : {monthly_call(), with_start(monthly_call()), seasoned(monthly_call()),
                        seasoned(with_start(monthly_call()))}) {
    base.average = Average::geometric;
    base.volatility = 0.35;
    base.expiry = 1.25;
    base.strike = 95;
    all.push_back(base);
    all.push_back(put(base));
    all.push_back(on_strike(base, 0.9));
    all.push_back(put(on_strike(base, 1.1)));
  }
  return all;
}

TEST(LogPayoff, Greeks_are_the_differences_of_the_price) {
  for (Contract contract : geometric_contracts()) {
    for (bool const drift_given : {false, true}) {
      contract.drift_given = drift_given;
      expect_near(log_greeks_of(contract), greeks_by_differences(contract, log_price_of), 3e-7);
    }
  }
}

TEST(LogPayoff, keeps_put_call_parity_in_every_output) {
  for (Contract contract : geometric_contracts()) {
    ContractLaw law = laid(contract).law;
    law.common.side = 1;
    Outputs const call_outputs = log_outputs(law, contract.payoff);
    law.common.side = -1;
    Outputs const put_outputs = log_outputs(law, contract.payoff);

    bool const on_price = contract.payoff == Payoff::average_price;
    double const g = std::exp(law.log.level + 0.5 * law.log_variance);
    double const forward =
        on_price ? g - law.log.strike : law.forward.terminal - contract.multiplier * g;
    EXPECT_NEAR(call_outputs[price] - put_outputs[price], forward, 1e-14);
    // The kink is in both; what is left of gamma is that of G.
    double const linear_gamma = law.log.gamma_linear * g * (on_price ? 1 : -contract.multiplier);
    EXPECT_NEAR(call_outputs[gamma] - put_outputs[gamma], linear_gamma, 1e-13);
  }
}

TEST(LogPayoff, is_linear_when_the_strike_is_nought) {
  Contract contract = geometric(monthly_call());
  contract.strike = 0;
  ContractLaw law = laid(contract).law;
  double const g = std::exp(law.log.level + 0.5 * law.log_variance);

  EXPECT_NEAR(log_outputs(law, contract.payoff)[price], g, 1e-15);
  EXPECT_NEAR(log_outputs(law, contract.payoff)[delta], g, 1e-15);
  law.common.side = -1;
  EXPECT_EQ(log_outputs(law, contract.payoff), Outputs{});
}

TEST(LogPayoff, wants_something_random) {
  Contract contract = geometric(monthly_call());
  contract.volatility = 0;
  ContractLaw const law = laid(contract).law;

  EXPECT_THROW(static_cast<void>(log_outputs(law, contract.payoff)), ContractViolated);
}

}  // namespace
}  // namespace makespan::asian
