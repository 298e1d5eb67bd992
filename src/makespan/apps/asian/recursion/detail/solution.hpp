// SPDX-License-Identifier: Apache-2.0
// The value of calls on a sum, and what their Greeks are made of, on nodes of the strike.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "makespan/apps/asian/recursion/detail/sum_law.hpp"

namespace makespan::asian::recursion {

// Of a call on the sum, with z = ln(strike).
enum Quantity : int {
  call_value,
  slope,           // derivative to z
  curvature,       // second derivative to z, less the first: strike^2 times that to the strike
  by_volatility,   // derivative to the volatility
  by_drift,        // to the drift
  by_last_weight,  // to the weight of the last price
  by_last_weight_twice,
  quantity_count
};
using Quantities = std::array<double, quantity_count>;

// What derivatives are solved for besides those to the strike.
enum class Derivatives : std::uint8_t { none, volatility_and_drift, last_weight_too };

// On nodes that are equally spaced in z.
struct Solution {
  double first;     // z of node 0
  double per_unit;  // nodes for each unit of z
  int nodes;
  RemainingSum sum;  // all of it
  double missed;     // by points between the nodes, about, as a share of the sum's mean
  std::array<std::vector<double>, quantity_count> values;  // shape (nodes); empty if not solved for
};

// For any strike: below the nodes a call is its forward less the strike, above them 0.
[[nodiscard]] Quantities quantities_at(Solution const& solution, double strike);

}  // namespace makespan::asian::recursion
