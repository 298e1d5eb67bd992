// SPDX-License-Identifier: Apache-2.0
// By which estimator a row is simulated: by the row and the settings alone, as row_kind.hpp.
#pragma once

#include "makespan/apps/asian/contract/basket_law.hpp"
#include "makespan/apps/asian/contract/contract.hpp"
#include "makespan/apps/asian/estimate/estimator_settings.hpp"
#include "makespan/apps/asian/estimate/sampling.hpp"

namespace makespan::asian {

// The settings' own method; for automatic mc, or rqmc_smooth for baskets that ask for an error so
// small that its points, which come in large numbers, are predicted to take less time.
[[nodiscard]] Method simulation_method(Contract const& contract, EstimatorSettings const& settings);
// The same where the row's basket has been laid out; null without one.
[[nodiscard]] Method simulation_method(Contract const& contract, EstimatorSettings const& settings,
                                       BasketLaw const* basket);

// Of a row that is simulated so.
[[nodiscard]] Sampling sampling_by(Method method, EstimatorSettings settings);

}  // namespace makespan::asian
