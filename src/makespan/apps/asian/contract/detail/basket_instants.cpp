// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/contract/detail/basket_instants.hpp"

#include <cmath>
#include <cstddef>
#include <span>

#include "makespan/apps/asian/contract/detail/basket.hpp"

namespace makespan::asian {

namespace {

// Of the end price in S_T - k A, or of one fixing.
struct Weights {
  double end;
  double fixing;
};

Weights weights_of(Contract const& contract) {
  double const fixing = 1 / fixings_total(contract);
  if (contract.payoff == Payoff::average_price) return {0, fixing};
  return {1, -contract.multiplier * fixing};
}

// With instants between, equally far from one another.
std::vector<Instant> cut(std::span<Instant const> instants, double step_max) {
  constexpr double slack = 1e-9;  // a gap of a whole number of steps takes no more by rounding
  std::vector<Instant> all;
  double before = 0;
  for (Instant const& at : instants) {
    double const gap = at.time - before;
    auto const parts = static_cast<std::int64_t>(std::ceil(gap / step_max - slack));
    for (std::int64_t i = 1; i < parts; ++i) {
      double const share = static_cast<double>(i) / static_cast<double>(parts);
      all.push_back({before + gap * share, 0, false});
    }
    all.push_back(at);
    before = at.time;
  }
  return all;
}

}  // namespace

std::vector<Instant> instants_of(Contract const& contract) {
  Weights const weights = weights_of(contract);
  std::vector<Instant> priced;
  for (std::int64_t i = fixes_now(contract) ? 1 : 0; i < contract.fixings; ++i) {
    priced.push_back({fixing_time(contract, i), weights.fixing, true});
  }
  if (contract.payoff == Payoff::average_strike && contract.expiry > 0) {
    bool const fixes = !priced.empty() && priced.back().time == contract.expiry;
    if (!fixes) priced.push_back({contract.expiry, 0, true});
    priced.back().weight += weights.end;
  }
  std::vector<Instant> all;
  std::size_t next = 0;
  for (double const time : volatility_times(contract)) {
    // A fixing at a change of volatility ends the step for both, also where the two times differ by
    // rounding: else a step would be as short as that.
    for (; next < priced.size() && priced[next].time <= time + same_time; ++next) {
      all.push_back(priced[next]);
    }
    double const before = all.empty() ? 0 : all.back().time;
    if (time > before + same_time) all.push_back({time, 0, false});
  }
  all.insert(all.end(), priced.begin() + static_cast<std::ptrdiff_t>(next), priced.end());
  return has_surface(*contract.basket) ? cut(all, contract.step_max) : all;
}

double constant_of(Contract const& contract) {
  double const now = share_now(contract);
  if (contract.payoff == Payoff::average_price) return now;
  // With no time left S_T is the price now; else it is a price of the last step.
  double const end = contract.expiry > 0 ? 0 : contract.basket->net / contract.basket->gross;
  return end - contract.multiplier * now;
}

double level_of(Contract const& contract) {
  double const level = payoff_level(contract);
  return contract.payoff == Payoff::average_price ? level : contract.multiplier * level;
}

}  // namespace makespan::asian
