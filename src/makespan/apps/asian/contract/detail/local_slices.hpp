// SPDX-License-Identifier: Apache-2.0
// Local volatilities as kernels read them: one function of the price for each step.
#pragma once

#include "makespan/apps/asian/contract/basket_law.hpp"

namespace makespan::asian {

// Fills grids, slices and the terms' pointers to them. The steps have been laid; each has the
// surface of its middle.
void lay_slices(Basket const& basket, BasketSchedule& schedule);

}  // namespace makespan::asian
