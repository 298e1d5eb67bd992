// SPDX-License-Identifier: Apache-2.0
// One Asian option as the engine prices it: every default resolved, times as year fractions from
// now.
#pragma once

#include <cstdint>
#include <span>

#include "makespan/apps/asian/contract/detail/heston.hpp"
#include "makespan/apps/asian/contract/term_curve.hpp"
#include "makespan/apps/asian/kernel/moment_job.hpp"

namespace makespan::asian {

// Cash dividends up to the horizon, which are certain: the price is a lognormal one, which begins
// at the spot less their present value, and the dividends still to come (the escrowed model: J.
// Hull, Options, Futures, and Other Derivatives, ch. 15). In an average their part is a constant,
// as a past fixing's is. All 0 without.
struct CashDividends {
  double present_value;  // [price]
  double present_time;   // minus its derivative to the growth rate [price · years]
  double in_fixings;     // at the fixings, summed [price]
  double fixings_time;   // minus its derivative
};

struct Basket;

struct Contract {
  std::uint64_t
      key;  // 64-bit hash of the option's id: with the seed, the key of its random numbers
  std::uint64_t seed;

  double side;  // +1 call, -1 put
  Average average;
  Payoff payoff;
  double spot;         // less the present value of cash dividends
  double strike;       // price units; unused for average_strike
  double multiplier;   // average_strike: side (S_T - multiplier · average)^+; else unused
  double rate;         // continuously compounded [1/year], as drift; 0 with a curve of it
  double drift;        // besides what curves say of the growth
  bool drift_given;    // by the user, in place of rate - dividend yield
  double volatility;   // with a curve: root mean square up to the horizon (term_structure.hpp)
  double expiry;       // [years]; for average_strike the time of S_T
  double payment_lag;  // of the payment after expiry [years]

  // Null where there is none, and then the constants above count (term_structure.hpp).
  Curve const* rate_curve;
  Curve const* yield_curve;
  Curve const* forward_curve;  // growth, in place of all other that makes it
  Curve const* volatility_curve;
  Curve const* dividends;  // proportional ones
  CashDividends cash_dividends;
  Heston heston;         // in place of a volatility that is known
  Basket const* basket;  // in place of one asset: spot is its gross value (basket.hpp); or null
  // Longest step of paths whose volatility is random or local [years]. What schemes are off by is
  // in docs/explanation/models.md.
  double step_max = 1.0 / 64;

  std::int64_t fixings;  // future ones, one at time 0 included; 0 when all are past
  double first_fixing;   // [years]; equally spaced up to last_fixing, unless `times` names them
  double last_fixing;
  std::span<double const> times;  // explicit fixing times, strictly increasing, or empty

  std::int64_t past_count;
  double past_sum;      // of past prices (arithmetic), and of cash dividends in future ones
  double past_log_sum;  // of logarithms of past prices (geometric)

  double notional;
  std::int64_t paths;      // to simulate, or 0 for a target error
  double std_error;        // target, in price units for a notional of 1, or 0
  std::int64_t max_paths;  // where a target error gives up
};

// Time of fixing `index` (0-based) [years].
double fixing_time(Contract const& contract, std::int64_t index);

// Whether a fixing is due at time 0, at the present spot.
bool fixes_now(Contract const& contract);

// What paths have to be looked at for: of a basket, an average strike is an average price too, some
// of whose prices count negatively (basket_law.hpp).
Payoff simulated_payoff(Contract const& contract);

// Past and future fixings together.
double fixings_total(Contract const& contract);

// average_price: (strike - what past fixings make of an arithmetic average) / spot; average_strike:
// what they make of it, over the spot. Exercise is certain where it is not above share_now; every
// decision on it has to use these two, to the same bit.
double payoff_level(Contract const& contract);
// What a fixing at time 0 adds to the average, over the spot; 0 if there is none.
double share_now(Contract const& contract);

}  // namespace makespan::asian
