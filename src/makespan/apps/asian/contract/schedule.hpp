// SPDX-License-Identifier: Apache-2.0
// The steps of a contract's simulation and what is known of each without simulating.
#pragma once

#include <span>
#include <vector>

#include "makespan/apps/asian/contract/contract.hpp"

namespace makespan::asian {

// Arrays have shape (steps): one step to each fixing after time 0, and for an average strike paid
// after the last fixing one more to expiry, of weight 0. Reused from option to option: nothing is
// allocated once it has held the longest.
struct Schedule {
  std::vector<double> time;  // [years], strictly increasing, > 0
  // The same as the volatility counts it (term_structure.hpp); it may stand.
  std::vector<double> clock;
  std::vector<double> volatility;   // integral of the volatility up to it
  std::vector<double> weight;       // of the price in the average: 1 / (past + future fixings)
  std::vector<double> forward;      // E[S_i] / S_0
  std::vector<double> log_weight;   // p_i: of ln S_i in the lognormal that stands beside the payoff
  std::vector<double> tail_weight;  // sum of p_j, j >= i
  std::vector<double> covariance;   // of B_i with sum of p_j B_j [years of the clock]
  std::vector<double>
      direction;  // a_i: of ln S_i along the gamma direction, in units of its standard normal

  [[nodiscard]] int steps() const { return static_cast<int>(time.size()); }
};

using ExpAll = void (*)(std::span<double const> x, double* out);

// Fills time, clock, volatility, weight and forward. `exp_all`: a kernel table's exponential.
void lay_out(Contract const& contract, ExpAll exp_all, Schedule& schedule);

// Number of steps, without laying them out.
std::int64_t step_count(Contract const& contract);

}  // namespace makespan::asian
