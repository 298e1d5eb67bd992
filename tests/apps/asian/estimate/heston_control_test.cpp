// SPDX-License-Identifier: Apache-2.0
// Goal: the geometric average under Heston is priced to rounding. Method: one fixing against
// European prices; a variance that hardly moves against the lognormal formula; parity; averages in
// two pieces.
#include "makespan/apps/asian/estimate/heston_control.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "apps/asian/heston_contracts.hpp"
#include "makespan/apps/asian/estimate/log_payoff.hpp"

namespace makespan::asian {
namespace {

HestonControl control_of(Contract const& contract) {
  Laid const known = laid(contract);
  return heston_control(contract, known.law, known.schedule);
}

// In price units, discounted.
double price_of(Contract const& contract) {
  return laid(contract).law.discount * contract.spot * control_of(contract).price;
}

Contract one_fixing(double time, double strike, Heston const& model) {
  Contract contract = geometric(monthly_call());
  contract.rate = 0.05;
  contract.drift = 0.04;
  contract.strike = strike;
  contract.expiry = time;
  contract.fixings = 1;
  contract.first_fixing = time;
  contract.last_fixing = time;
  return with_heston(contract, model);
}

// QuantLib 1.44, AnalyticHestonEngine(HestonModel, 1e-12, 100000): calls of spot 100, rate 5 %,
// dividend yield 1 %, days / 365 to expiry.
TEST(HestonControl, is_the_European_price_with_one_fixing) {
  struct Case {
    int model;
    double at_110_after_a_year;
    double at_100_after_30_days;
  };
  for (Case const& one :
       {Case{0, 4.947833170010, 2.439907328962}, Case{1, 3.069978884552, 2.318307449031},
        Case{2, 8.374169711681, 3.513317456802}, Case{3, 2.577183831923, 1.801298930642},
        Case{4, 2.664250963473, 1.332291477266}}) {
    Heston const& model = heston_models[static_cast<std::size_t>(one.model)];
    EXPECT_NEAR(price_of(one_fixing(1, 110, model)), one.at_110_after_a_year, 2e-10) << one.model;
    EXPECT_NEAR(price_of(one_fixing(30.0 / 365, 100, model)), one.at_100_after_30_days, 2e-10)
        << one.model;
  }
}

// A variance so volatile that the logarithm's tails reach many times its deviation. Lewis's
// integral in numpy, ranges of 250 and of 500 in ln K: the same twelve digits.
TEST(HestonControl, is_the_price_where_tails_reach_far) {
  struct Case {
    Heston model;
    double expiry;
    double strike;
    int fixings;
    double truth;
  };
  for (Case const& one :
       {Case{{.006805, .1353, .08125, 1.944, -.9297}, 1.2, 110.12, 12, 0.004805616064},
        Case{{.004811, .1618, .00697, 1.827, .036}, 1.58, 101.29, 1, 3.780693911856},
        Case{{.009, .33, .0165, .943, -.5}, 2.53, 100, 1, 8.897088653359},
        Case{{.01, .1, .08, .666, .3}, 2.9, 105, 4, 3.419670066496},
        Case{{.04, 1, .06, 4.3, -.7}, 1, 103, 12, 1.035765949560}}) {
    Contract contract = geometric(monthly_call());
    contract.rate = 0.03;
    contract.strike = one.strike;
    contract.expiry = one.expiry;
    contract.fixings = one.fixings;
    contract.first_fixing = one.expiry / one.fixings;
    contract.last_fixing = one.expiry;
    contract = with_heston(contract, one.model);

    EXPECT_NEAR(price_of(contract), one.truth, 1e-9) << one.expiry;
    EXPECT_EQ(control_of(contract).error, 0) << one.expiry;
  }
}

// E[G] is then the transform where both roots of its equation are one, 0: nothing but the
// volatility of the variance moves it. Truth: the middle of two prices beside it.
TEST(HestonControl, is_there_where_the_mean_reversion_is_that_of_the_correlation) {
  for (Heston const& model :
       {Heston{.04, .3, .04, .5, .6}, Heston{.04, .25, .04, .5, .5}, Heston{.04, .5, .04, 1, .5}}) {
    for (int const fixings : {1, 2, 4, 12}) {
      Contract contract = geometric(monthly_call());
      contract.fixings = fixings;
      contract.first_fixing = 1.0 / fixings;
      auto const at = [&](double moved) {
        Heston beside = model;
        beside.correlation += moved;
        return control_of(with_heston(contract, beside));
      };
      HestonControl const here = at(0);
      HestonControl const near = at(1e-12);
      HestonControl const below = at(-1e-5);
      HestonControl const above = at(1e-5);

      EXPECT_NEAR(here.price, 0.5 * (below.price + above.price), 1e-10) << fixings;
      EXPECT_NEAR(here.average, 0.5 * (below.average + above.average), 1e-10) << fixings;
      EXPECT_NEAR(here.vega, 0.5 * (below.vega + above.vega), 1e-9) << fixings;
      EXPECT_NEAR(here.time, 0.5 * (below.time + above.time), 1e-9) << fixings;
      EXPECT_NEAR(here.price, near.price, 1e-12) << fixings;
    }
  }
}

TEST(HestonControl, is_the_lognormal_price_where_the_variance_hardly_moves) {
  for (Contract const& base :
       {monthly_call(), put(seasoned(monthly_call())), on_strike(monthly_call(), 0.97),
        put(on_strike(seasoned(with_start(monthly_call())), 1.02)), geometric(monthly_call()),
        geometric(on_strike(seasoned(monthly_call()), 1))}) {
    Contract const still = with_heston(base, {0.04, 1, 0.04, 1e-3, 0});
    Contract lognormal = base;
    lognormal.volatility = 0.2;
    Laid const known = laid(lognormal);
    double const g_mean = std::exp(known.law.log.level + 0.5 * known.law.log_variance);

    EXPECT_NEAR(control_of(still).price, log_outputs(known.law, base.payoff)[price], 1e-7);
    EXPECT_NEAR(control_of(still).average, g_mean, 1e-7);
  }
}

TEST(HestonControl, obeys_parity) {
  for (Heston const& model : heston_models) {
    Contract const call = with_heston(geometric(seasoned(monthly_call())), model);
    HestonControl const called = control_of(call);
    double const strike = laid(call).law.log.strike;
    EXPECT_NEAR(called.price - control_of(put(call)).price, called.average - strike, 1e-13);
    Contract const end = with_heston(geometric(on_strike(monthly_call(), 0.9)), model);
    HestonControl const exchanged = control_of(end);
    EXPECT_NEAR(exchanged.price - control_of(put(end)).price,
                laid(end).law.forward.terminal - 0.9 * exchanged.average, 1e-13);
  }
}

// A fixing of no weight cuts a step in two, and changes nothing.
TEST(HestonControl, does_not_depend_on_where_steps_are_cut) {
  for (Heston const& model : heston_models) {
    Contract const contract = with_heston(geometric(on_strike(monthly_call(), 1)), model);
    Contract late = contract;
    late.expiry = 1.5;
    Contract const whole = with_heston(late, model);
    Laid known = laid(whole);
    double const price = heston_control(whole, known.law, known.schedule).price;
    auto const insert = [](std::vector<double>& values, double value) {
      values.insert(values.end() - 1, value);
    };
    insert(known.schedule.time, 1.2);
    insert(known.schedule.tail_weight, 0);

    EXPECT_NEAR(heston_control(whole, known.law, known.schedule).price, price, 1e-13);
  }
}

}  // namespace
}  // namespace makespan::asian
