// SPDX-License-Identifier: Apache-2.0
// Payoffs on the difference of two lognormals: the control of a basket some of whose prices count
// negatively.
#pragma once

#include "makespan/apps/asian/contract/basket_law.hpp"

namespace makespan::asian {

// Undiscounted means, of the exercised payoff side (G - H - strike)^+.
struct DifferenceMeans {
  double price;
  double difference;  // of side (G - H) where it is exercised
  double mean;        // E[G - H]
};

// Given H the payoff is one on a lognormal; over H the trapezoidal rule, whose step is halved until
// the price stands to 1e-12 of the two means (K. Pearson's method: M. Broadie, J. Detemple, Math.
// Finance 7 (1997) 241-286, sec. 4). Takes 10 to 500 us.
[[nodiscard]] DifferenceMeans difference_means(LognormalPair const& pair, double side,
                                               double strike);

}  // namespace makespan::asian
