// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/run/detail/simulation_method.hpp"

namespace makespan::asian {

namespace {

// Standard error of the first round of mc, as a share of the gross value, where the control's
// logarithm has a deviation of 0.2 (measured, docs/explanation/models.md). It grows with that, or
// its square, by strike.
constexpr double basket_first_error = 1.5e-5;
constexpr double basket_first_deviation = 0.2;

// What the fewest points of rqmc_smooth take, over the first round of mc: 4 times as many paths, of
// twice the time each.
constexpr double points_cost = 8;

// Below this share of the gross value an error can be worth the points.
constexpr double fine_share = 1e-4;

bool may_be_fine(Contract const& contract) {
  return contract.basket != nullptr && contract.paths == 0 && contract.std_error > 0 &&
         contract.std_error < fine_share * contract.spot;
}

bool is_worth_smoothing(Contract const& contract, BasketLaw const& basket) {
  if (!basket.smooth.is_there) return false;
  double const spread = basket.law.log.deviation / basket_first_deviation;
  double const ratio = basket_first_error * spread * contract.spot / contract.std_error;
  // So many first rounds of mc would be needed: the error falls with the root of the paths.
  return ratio * ratio > points_cost;
}

}  // namespace

Method simulation_method(Contract const& contract, EstimatorSettings const& settings,
                         BasketLaw const* basket) {
  if (settings.method != Method::automatic) return settings.method;
  bool const smooth =
      basket != nullptr && may_be_fine(contract) && is_worth_smoothing(contract, *basket);
  return smooth ? Method::rqmc_smooth : Method::mc;
}

Method simulation_method(Contract const& contract, EstimatorSettings const& settings) {
  if (settings.method != Method::automatic || !may_be_fine(contract)) {
    return simulation_method(contract, settings, nullptr);
  }
  BasketSchedule schedule;
  BasketLaw const law = make_basket_law(contract, schedule);
  return simulation_method(contract, settings, &law);
}

Sampling sampling_by(Method method, EstimatorSettings settings) {
  settings.method = method;
  return sampling_of(settings);
}

}  // namespace makespan::asian
