// SPDX-License-Identifier: Apache-2.0
// What OptionWorker prepares for options whose paths are not those of one lognormal price.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "makespan/apps/asian/contract/basket_law.hpp"
#include "makespan/apps/asian/estimate/difference_control.hpp"
#include "makespan/apps/asian/estimate/exercise_jump.hpp"
#include "makespan/apps/asian/estimate/heston_control.hpp"
#include "makespan/apps/asian/estimate/log_payoff.hpp"
#include "makespan/apps/asian/run/option_worker.hpp"
#include "makespan/simd/portable_math.hpp"

namespace makespan::asian {

namespace {

double square_of(double x) {
  return x * x;
}

// Of a payoff on one lognormal all outputs have a control, of one on two the price and delta.
PayoffControl control_of(BasketLaw const& basket, ContractLaw const& simulated) {
  LognormalPair const& pair = basket.pair;
  double const average = simulated.forward.average;
  if (!basket.short_part.is_there) {
    double const mean = simd::portable_exp(pair.level + 0.5 * pair.deviation * pair.deviation);
    return {.mean = log_outputs(simulated, Payoff::average_price),
            .jump = exercise_jump(simulated, Payoff::average_price),
            .linear = {average, mean}};
  }
  double const level = simulated.log.strike;
  DifferenceMeans const means = difference_means(pair, simulated.common.side, level);
  double const mean_short =
      simd::portable_exp(pair.level_short + 0.5 * square_of(pair.deviation_short));
  // G is there where it exceeds H by the level.
  double const there = std::max(simd::portable_exp(pair.level), level + mean_short);
  double const variance = square_of(there) * std::expm1(square_of(pair.deviation)) +
                          square_of(mean_short) * std::expm1(square_of(pair.deviation_short)) -
                          2 * there * mean_short * std::expm1(pair.covariance);
  PayoffControl out{.mean = {},
                    .jump = {},
                    .linear = {average, means.mean},
                    .average = {.level = level,
                                .variance = std::max(variance, 0.0),
                                .volatility = std::max(pair.deviation, pair.deviation_short) /
                                              std::sqrt(simulated.common.expiry)}};
  out.mean[price] = means.price;
  out.mean[delta] = means.difference;
  out.jump[delta] = level;
  return out;
}

}  // namespace

// The controls are the geometric average of the same path and the average itself, whose means are
// known. An average strike's gamma, whose direction ends at a variance of its own, there is not.
void OptionWorker::prepare_heston() {
  Contract const& contract = *contract_;
  path_job_.model = PathModel::heston;
  path_job_.heston = lay_heston_plan(contract, schedule_, law_.common.drift, heston_steps_);
  path_job_.logs = true;
  bool const has_density =
      contract.payoff == Payoff::average_price && contract.average == Average::arithmetic;
  has_[gamma] = has_density;
  // Two normals a step: the price's and the variance's.
  prepare_normals(2 * static_cast<int>(heston_steps_.size()));
  ContractLaw simulated = simulated_law();
  simulated.common.has_own_theta = true;
  HestonControl const control = heston_control(contract, simulated, schedule_);
  prepare_estimate(simulated, {.mean = heston_outputs(control, simulated, contract.payoff),
                               .jump = {},
                               .linear = {law_.forward.average, control.average}});
  moment_job_.has_own_twin = true;
  // Plain paths have no control.
  if (method_ != Method::mc_plain) control_error_ = heston_errors(control, simulated);
}

bool OptionWorker::is_smoothed() const {
  return method_ == Method::rqmc_smooth && contract_->basket != nullptr &&
         basket_law_.smooth.is_there;
}

// The sum of prices as the average of an average price; the control has the same weights in one
// lognormal, or in two.
void OptionWorker::prepare_basket() {
  Basket const& basket = *contract_->basket;
  int const steps = static_cast<int>(basket_schedule_.steps.size());
  int const count = static_cast<int>(basket.underlyings.size());
  bool const sobol = path_job_.source == NormalSource::sobol;
  bool const has_slices = !basket_schedule_.grids.empty();
  path_job_.model = PathModel::basket;
  path_job_.basket = {.underlyings = count,
                      .factors = sobol ? basket.factors : count,
                      .loading = sobol ? basket.loading : basket.root,
                      .steps = basket_schedule_.steps,
                      .terms = basket_schedule_.terms,
                      .drifts = basket_schedule_.drifts,
                      .grids = basket_schedule_.grids,
                      .slices = basket_schedule_.slices,
                      .has_short = basket_law_.short_part.is_there,
                      .is_smooth = is_smoothed(),
                      .state = basket_state_.reserve(basket_state_size(count, has_slices))};
  if (sobol) {
    // A bridge goes by time, which points need and pseudo-random normals do not.
    work_.clear();
    for (BasketStep const& step : basket_schedule_.steps) work_.push_back(step.time);
    prepare_sobol(work_, basket.factors);
  } else {
    prepare_normals(steps * basket_tile(count, tile_steps).rows);
  }
  has_[gamma] = basket_law_.has_gamma;
  ContractLaw const simulated = simulated_law();
  prepare_estimate(simulated, control_of(basket_law_, simulated));
  moment_job_.short_part = basket_law_.short_part;
  if (!is_smoothed()) return;
  moment_job_.smooth = basket_law_.smooth;
  // The average itself is both of its linear controls. No path is exercised or not: nothing jumps,
  // and nothing is rare.
  moment_job_.linear_mean[1] = law_.forward.average;
  for (std::size_t k = price; k <= gamma; ++k) {
    estimate_terms_.floor[k] = 0;
    estimate_terms_.floor_over_price[k] = 0;
    estimate_terms_.jump[k] = 0;
  }
}

}  // namespace makespan::asian
