// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/run/detail/row_kind.hpp"

#include <cmath>

#include "makespan/apps/asian/contract/schedule.hpp"
#include "makespan/apps/asian/estimate/exact_price.hpp"
#include "makespan/apps/asian/estimate/sampling.hpp"

namespace makespan::asian {

namespace {

constexpr double tolerance_usual = 1e-8;
constexpr double tolerance_fine = 1e-11;

// Of the logarithm of the price up to the payment. Beyond it the value of an average comes from
// prices that lie too far apart for nodes of one spacing (docs/explanation/exact.md).
constexpr double deviation_max = 2;

// Seconds of a solve and of simulated samples, in path-steps of single precision: a start, and so
// many for each step.
constexpr double solve_start = 20'000;
constexpr double solve_step = 9'000;
constexpr double solve_step_greeks = 11'500;
constexpr double sample_start = 60'000;
constexpr double payoff_steps = 6;

// Standard error of the first round of paths, as a share of the spot, at a deviation of 0.2 of the
// logarithm of the price; it grows about with the square of that.
constexpr double first_error = 6e-6;
constexpr double first_deviation = 0.2;

// A price without noise, with a bound, that costs its neighbours in strike nothing, is taken for so
// many times the cost of one with noise.
constexpr double worth_of_no_noise = 4;

double deviation_of(Contract const& contract) {
  return contract.volatility * std::sqrt(contract.expiry);
}

double simulation_work(Contract const& contract, EstimatorSettings const& settings) {
  Sampling const sampling = sampling_of(settings);
  double const first =
      static_cast<double>(first_round(contract, sampling)) * sampling.paths_per_sample;
  // How many paths the target asks for, by the error that the first round is predicted to have:
  // standard errors fall with the root of the number of paths.
  double const spread = deviation_of(contract) / first_deviation;
  double const ratio = first_error * spread * spread * contract.spot / contract.std_error;
  double const paths = first * (ratio > 1 ? ratio * ratio : 1);
  return sample_start + paths * (static_cast<double>(step_count(contract)) + payoff_steps);
}

bool is_worth_solving(Contract const& contract, EstimatorSettings const& settings) {
  // By these numbers a solve is dearer only where max_paths allows far fewer than the 8192 paths of
  // a pilot: for any number of steps four pilots cost more.
  return solve_work(step_count(contract), settings.greeks) <=
         worth_of_no_noise * simulation_work(contract, settings);
}

}  // namespace

RowKind row_kind(Contract const& contract, EstimatorSettings const& settings) {
  if (has_exact_price(contract, settings.method)) return RowKind::closed_form;
  bool const has_model = contract.heston.is_given() || contract.basket != nullptr;
  // The recursion is one of a single lognormal price.
  if (has_model) return RowKind::simulated;
  if (settings.method == Method::exact) return RowKind::recursion;
  if (settings.method != Method::automatic || contract.paths > 0) return RowKind::simulated;
  bool const is_near = deviation_of(contract) <= deviation_max;
  return is_near && is_worth_solving(contract, settings) ? RowKind::recursion : RowKind::simulated;
}

double solve_work(std::int64_t steps, bool greeks) {
  return solve_start + static_cast<double>(steps) * (greeks ? solve_step_greeks : solve_step);
}

double recursion_tolerance(Contract const& contract) {
  bool const is_fine =
      contract.std_error > 0 && contract.std_error < tolerance_usual * contract.spot;
  return is_fine ? tolerance_fine : tolerance_usual;
}

}  // namespace makespan::asian
