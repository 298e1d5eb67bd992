// SPDX-License-Identifier: Apache-2.0
// What the moments of one option's paths say of it: prices, Greeks and their errors.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "makespan/apps/asian/contract/contract.hpp"
#include "makespan/apps/asian/contract/contract_law.hpp"
#include "makespan/apps/asian/estimate/estimate.hpp"
#include "makespan/apps/asian/estimate/sampling.hpp"

namespace makespan::asian {

// An option's result in price units, discounted, for its notional.
struct OptionResult {
  std::array<double, output_count> value;
  std::array<double, output_count> std_error;
  std::array<double, output_count> error_bound;  // of results without noise; else NaN
  double control_beta;
  double variance_reduction;  // plain Monte Carlo's variance at the same number of paths, over ours
  bool is_smoothed;           // integrated along one direction (Method::rqmc_smooth)
  double method_price;  // a closed form beside the price: lower bound, lognormal approximation, or
                        // the price itself
};

// A value, which outlives the worker's being at the option, but not the book's columns. Made by
// OptionWorker::estimator(). Tested by tests/apps/asian/run/option_worker_test.cpp.
struct OptionEstimate {
  Contract contract;
  ContractLaw law;
  Sampling sampling;
  EstimateTerms terms;
  Outputs parity;                      // what the contract's side has over the simulated one
  Outputs control_error;               // of the controls' means, 0 where they are known to rounding
  double bound;                        // of the price, from its control
  std::array<bool, output_count> has;  // outputs that the option has; others are empty
  bool is_smoothed;

  // What the moments so far say: one vector of moments per replicate, `samples` samples each.
  [[nodiscard]] Estimate estimate_from(std::span<std::vector<double> const> moments,
                                       std::int64_t samples) const;
  // The same in price units.
  [[nodiscard]] OptionResult result_from(Estimate const& estimate, std::int64_t samples) const;
  // Standard error of the price, in price units for a notional of 1, as result_from() has it; and
  // what of it is the control's, which samples leave as it is.
  [[nodiscard]] double price_error(Estimate const& estimate) const;
  [[nodiscard]] double lasting_error() const;
  // Outputs and their errors, which are in units of the spot, in price units.
  [[nodiscard]] OptionResult scaled(Outputs const& value, Outputs const& error) const;
};

}  // namespace makespan::asian
