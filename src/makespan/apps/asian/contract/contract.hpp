// SPDX-License-Identifier: Apache-2.0
// One Asian option as the engine prices it: every default resolved, times as year fractions from
// now.
#pragma once

#include <cstdint>
#include <span>

#include "makespan/apps/asian/kernel/moment_job.hpp"

namespace makespan::asian {

struct Contract {
  std::uint64_t
      key;  // 64-bit hash of the option's id: with the seed, the key of its random numbers
  std::uint64_t seed;

  double side;  // +1 call, -1 put
  Average average;
  Payoff payoff;
  double spot;
  double strike;      // price units; unused for average_strike
  double multiplier;  // average_strike: side (S_T - multiplier · average)^+; else unused
  double rate;        // continuously compounded [1/year], as drift
  double drift;
  bool drift_given;  // by the user, in place of rate - dividend yield
  double volatility;
  double expiry;  // payment time [years]; for average_strike also the time of S_T

  std::int64_t fixings;  // future ones, one at time 0 included; 0 when all are past
  double first_fixing;   // [years]; equally spaced up to last_fixing, unless `times` names them
  double last_fixing;
  std::span<double const> times;  // explicit fixing times, strictly increasing, or empty

  std::int64_t past_count;
  double past_sum;      // of past prices (arithmetic)
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

// Past and future fixings together.
double fixings_total(Contract const& contract);

// average_price: (strike - what past fixings make of an arithmetic average) / spot; average_strike:
// what they make of it, over the spot. Exercise is certain where it is not above share_now; every
// decision on it has to use these two, to the same bit.
double payoff_level(Contract const& contract);
// What a fixing at time 0 adds to the average, over the spot; 0 if there is none.
double share_now(Contract const& contract);

}  // namespace makespan::asian
