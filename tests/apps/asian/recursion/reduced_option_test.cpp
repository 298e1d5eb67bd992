// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/recursion/reduced_option.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "apps/asian/sample_contracts.hpp"
#include "makespan/apps/asian/contract/schedule.hpp"
#include "makespan/apps/asian/kernel/kernels.hpp"

namespace makespan::asian::recursion {
namespace {

// In price units, discounted, of one option.
struct Priced {
  Outputs value;
  Outputs bound;
};

Priced priced(Contract const& contract) {
  asian::Kernels const& kernels = *asian::Kernels::available().front();
  Schedule schedule;
  lay_out(contract, kernels.exp_all, schedule);
  ContractLaw const law = make_law(contract, schedule);
  SumLaw sum;
  fill_law(contract, sum);
  Solver solver(kernels);
  solver.solve(sum, {.derivatives = derivatives_of(contract, true), .tolerance = 1e-11});
  ReducedPrice const reduced = price_of(contract, law, solver);
  Priced out{};
  for (std::size_t k = 0; k < output_count; ++k) {
    double const unit = k == delta ? 1 : k == gamma ? 1 / contract.spot : contract.spot;
    out.value[k] = law.discount * unit * reduced.value[k];
    out.bound[k] = law.discount * unit * reduced.bound[k];
  }
  return out;
}

double price_with(Contract contract, double Contract::* field, double value) {
  contract.*field = value;
  return priced(contract).value[price];
}

// Sixth-order central difference.
template <class Price>
double slope_of(Price const& price_at, double at, double step) {
  return (45 * (price_at(at + step) - price_at(at - step)) -
          9 * (price_at(at + 2 * step) - price_at(at - 2 * step)) +
          (price_at(at + 3 * step) - price_at(at - 3 * step))) /
         (60 * step);
}

std::vector<Contract> contracts() {
  std::vector<Contract> all;
  for (double const side : {1.0, -1.0}) {
    Contract call = monthly_call();
    call.side = side;
    call.expiry = 1.25;  // paid after the last fixing
    Contract strike = on_strike(call, 1.1);
    Contract at_payment = on_strike(call, 0.9);
    at_payment.expiry = at_payment.last_fixing;
    for (Contract const& one : {call, strike, at_payment}) {
      all.push_back(one);
      all.push_back(seasoned(one));
      all.push_back(with_start(one));
      all.push_back(seasoned(with_start(one)));
    }
  }
  return all;
}

TEST(ReducedOption, Greeks_are_slopes_of_its_prices) {
  for (Contract const& contract : contracts()) {
    Outputs const value = priced(contract).value;
    auto const spot = [&](double at) { return price_with(contract, &Contract::spot, at); };
    auto const by_spot = [&](double at) {
      Contract moved = contract;
      moved.spot = at;
      return priced(moved).value[delta];
    };
    auto const volatility = [&](double at) {
      return price_with(contract, &Contract::volatility, at);
    };
    auto const drift = [&](double at) { return price_with(contract, &Contract::drift, at); };
    auto const rate = [&](double at) {
      Contract moved = contract;
      moved.drift += at - contract.rate;  // the dividend yield stays
      moved.rate = at;
      return priced(moved).value[price];
    };
    EXPECT_NEAR(value[delta], slope_of(spot, contract.spot, 1.0), 2e-7);
    EXPECT_NEAR(value[gamma], slope_of(by_spot, contract.spot, 1.0), 2e-7);
    EXPECT_NEAR(value[vega], slope_of(volatility, contract.volatility, 4e-3), 2e-6);
    EXPECT_NEAR(value[dividend_rho], -slope_of(drift, contract.drift, 4e-3), 2e-6);
    EXPECT_NEAR(value[rho], slope_of(rate, contract.rate, 4e-3), 2e-6);
  }
}

TEST(ReducedOption, call_less_put_is_the_forward) {
  std::vector<Contract> const all = contracts();
  for (std::size_t i = 0; i < all.size() / 2; ++i) {
    Priced const call = priced(all[i]);
    Priced const put = priced(all[i + all.size() / 2]);
    Schedule schedule;
    lay_out(all[i], asian::Kernels::available().front()->exp_all, schedule);
    ContractLaw const law = make_law(all[i], schedule);
    double const forward = forward_outputs(law, all[i].payoff)[price];
    EXPECT_NEAR(call.value[price] - put.value[price], law.discount * all[i].spot * forward, 1e-12);
    EXPECT_GT(put.value[price], 0);
  }
}

// A law is solved once for options that differ in strike, spot, side and what is past.
TEST(ReducedOption, options_of_one_law_are_equal_in_the_order) {
  Contract const call = monthly_call();
  Contract other = seasoned(call);
  other.strike = 80;
  other.spot = 90;
  other.side = -1;
  other.expiry = 2;
  EXPECT_EQ(compare_laws(call, other), std::weak_ordering::equivalent);
  std::array<double, 12> times{};
  for (std::size_t i = 0; i < times.size(); ++i)
    times[i] = fixing_time(call, static_cast<std::int64_t>(i));
  Contract listed = call;
  listed.times = times;
  EXPECT_EQ(compare_laws(call, listed), std::weak_ordering::equivalent);

  auto const differs = [&](auto change) {
    Contract changed = call;
    change(changed);
    EXPECT_NE(compare_laws(call, changed), std::weak_ordering::equivalent);
  };
  differs([](Contract& one) { one.volatility += 1e-9; });
  differs([](Contract& one) { one.drift += 1e-9; });
  differs([](Contract& one) { one.fixings = 13; });
  differs([](Contract& one) { one.last_fixing = 0.9; });
  differs([](Contract& one) { one.first_fixing = 0.01; });
  differs([](Contract& one) { one = on_strike(one, 1); });
}

}  // namespace
}  // namespace makespan::asian::recursion
