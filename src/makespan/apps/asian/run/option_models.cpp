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

// Of a payoff on one lognormal all outputs have a control, of one on two the price and delta.
struct BasketControl {
  Outputs mean;
  Outputs jump;
  double linear;  // mean of the lognormal, or of the difference of the two
};

BasketControl control_of(BasketLaw const& basket, ContractLaw const& simulated) {
  LognormalPair const& pair = basket.pair;
  if (!basket.short_part.is_there) {
    double const mean = simd::portable_exp(pair.level + 0.5 * pair.deviation * pair.deviation);
    return {log_outputs(simulated, Payoff::average_price),
            exercise_jump(simulated, Payoff::average_price), mean};
  }
  double const level = simulated.log.strike;
  DifferenceMeans const means = difference_means(pair, simulated.common.side, level);
  BasketControl out{};
  out.mean[price] = means.price;
  out.mean[delta] = means.difference;
  out.jump[delta] = level;
  out.linear = means.mean;
  return out;
}

}  // namespace

// The controls are the geometric average of the same path and the average itself, whose means are
// known. Of Greeks there are those to the spot and to rates; an average strike's gamma, whose
// direction ends at a variance of its own, there is not.
void OptionWorker::prepare_heston() {
  Contract const& contract = *contract_;
  bool const plain = settings_.method == Method::mc_plain;
  lay_heston_steps(contract, schedule_, heston_steps_);
  path_job_.heston = {heston_steps_, contract.heston.variance_now, contract.heston.variance_mean};
  path_job_.logs = true;
  has_ = {true, true, contract.payoff == Payoff::average_price, false, true, true, false};
  prepare_normals(2 * static_cast<int>(heston_steps_.size()));
  ContractLaw simulated = law_;
  simulated.common.side = plain ? contract.side : cheaper_side(law_, contract.payoff);
  HestonControl const control = heston_control(contract, simulated, schedule_);
  Outputs const forward = forward_outputs(law_, contract.payoff);
  double const over = 0.5 * (contract.side - simulated.common.side);
  for (std::size_t k = 0; k < output_count; ++k) parity_[k] = over * forward[k];
  Outputs const means = heston_outputs(control, simulated, contract.payoff);
  moment_job_ = {.estimator = plain ? Estimator::plain : Estimator::controlled,
                 .payoff = contract.payoff,
                 .average = contract.average,
                 .greeks = settings_.greeks,
                 .has_own_twin = true,
                 .common = simulated.common,
                 .arithmetic = simulated.arithmetic,
                 .log = simulated.log,
                 .short_part = {},
                 .smooth = {},
                 .parity = over,
                 .own_centre = control.price + over * forward[price],
                 .centre = means,
                 .control_mean = means,
                 .linear_mean = {law_.forward.average, control.average},
                 .samples = 0};
  bound_ = control.price;
  estimate_terms_ = {.estimator = moment_job_.estimator,
                     .greeks = settings_.greeks,
                     .centre = means,
                     .jump = {},
                     .floor = {},
                     .price_min = 0,
                     .resolution = 1e-12};
  for (std::size_t k = 0; k < output_count; ++k) estimate_terms_.floor[k] = std::fabs(means[k]);
  moments_.resize(static_cast<std::size_t>(moment_count(moment_job_.estimator, settings_.greeks)));
  moments_ready_ = true;
}

bool OptionWorker::is_smoothed() const {
  return settings_.method == Method::rqmc_smooth && contract_->basket != nullptr &&
         basket_law_.smooth.is_there;
}

// The sum of prices as the average of an average price; the control has the same weights in one
// lognormal, or in two.
void OptionWorker::prepare_basket() {
  Contract const& contract = *contract_;
  Basket const& basket = *contract.basket;
  bool const plain = settings_.method == Method::mc_plain;
  int const steps = static_cast<int>(basket_schedule_.steps.size());
  int const count = static_cast<int>(basket.underlyings.size());
  path_job_.basket = {.underlyings = count,
                      .factors = basket.factors,
                      .loading = basket.loading,
                      .steps = basket_schedule_.steps,
                      .terms = basket_schedule_.terms,
                      .drifts = basket_schedule_.drifts,
                      .grids = basket_schedule_.grids,
                      .has_short = basket_law_.short_part.is_there,
                      .is_smooth = is_smoothed(),
                      .state = basket_state_.reserve(basket_state_size(count))};
  if (path_job_.source == NormalSource::sobol) {
    work_.clear();
    for (BasketStep const& step : basket_schedule_.steps) work_.push_back(step.time);
    prepare_sobol(work_, basket.factors);
  } else {
    prepare_normals(steps * basket_tile(basket.factors, tile_steps).rows);
  }
  ContractLaw simulated = law_;
  simulated.common.side = plain ? contract.side : cheaper_side(law_, Payoff::average_price);
  Outputs const forward = forward_outputs(law_, Payoff::average_price);
  double const over = 0.5 * (contract.side - simulated.common.side);
  for (std::size_t k = 0; k < output_count; ++k) parity_[k] = over * forward[k];
  BasketControl const control = control_of(basket_law_, simulated);
  moment_job_ = {.estimator = plain ? Estimator::plain : Estimator::controlled,
                 .payoff = Payoff::average_price,
                 .average = Average::arithmetic,
                 .greeks = settings_.greeks,
                 .has_own_twin = false,
                 .common = simulated.common,
                 .arithmetic = simulated.arithmetic,
                 .log = simulated.log,
                 .short_part = basket_law_.short_part,
                 .smooth = is_smoothed() ? basket_law_.smooth : SmoothTerms{},
                 .parity = over,
                 .own_centre = control.mean[price] + over * forward[price],
                 .centre = control.mean,
                 .control_mean = control.mean,
                 .linear_mean = {law_.forward.average, control.linear},
                 .samples = 0};
  // The average itself is both of its linear controls.
  if (is_smoothed()) moment_job_.linear_mean[1] = law_.forward.average;
  bound_ = control.mean[price];
  has_[gamma] = basket_law_.has_gamma;
  estimate_terms_ = {.estimator = moment_job_.estimator,
                     .greeks = settings_.greeks,
                     .centre = control.mean,
                     .jump = control.jump,
                     .floor = {},
                     .price_min = 0,
                     .resolution = 1e-12};
  for (std::size_t k = 0; k < output_count; ++k) {
    estimate_terms_.floor[k] = std::fabs(control.mean[k]);
  }
  if (is_smoothed()) {  // no path is exercised or not: nothing jumps, and nothing is rare
    for (Output const k : {price, delta, gamma}) {
      estimate_terms_.floor[k] = 0;
      estimate_terms_.jump[k] = 0;
    }
  }
  moments_.resize(static_cast<std::size_t>(moment_count(moment_job_.estimator, settings_.greeks)));
  moments_ready_ = true;
}

}  // namespace makespan::asian
