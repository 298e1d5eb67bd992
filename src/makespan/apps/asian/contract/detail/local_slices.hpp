// SPDX-License-Identifier: Apache-2.0
// Local volatilities as kernels read them: one function of the price for each step.
#pragma once

#include <cstddef>

#include "makespan/apps/asian/contract/basket_law.hpp"

namespace makespan::asian {

// Of the logarithm of underlying k's price up to the last step, at the volatility that the control
// has of it; `count`: of underlyings. The steps have been laid.
[[nodiscard]] double deviation_of(BasketSchedule const& schedule, std::size_t count, std::size_t k);

// Fills grids, slices and the terms' pointers to them. The steps have been laid; each has the
// surface of its middle.
void lay_slices(Basket const& basket, BasketSchedule& schedule);

}  // namespace makespan::asian
