// SPDX-License-Identifier: Apache-2.0
#include "makespan/machine/cost_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "makespan/base/error.hpp"

namespace makespan::machine {

namespace {

// Rows and columns may be the same places; else a place is in one of the lists, once.
void check_places(CostMatrix const& matrix, std::size_t places) {
  std::string const what = "matrix '" + matrix.name + "'";
  std::vector<int> all = matrix.from;
  if (matrix.to != matrix.from) all.insert(all.end(), matrix.to.begin(), matrix.to.end());
  for (int const place : all) {
    if (0 <= place && static_cast<std::size_t>(place) < places) continue;
    throw InputError(
        what, "it has place " + std::to_string(place) + ", and there are " + std::to_string(places),
        "places are numbers in the topology of its machine, from 0");
  }
  std::ranges::sort(all);
  auto const twice = std::ranges::adjacent_find(all);
  if (twice == all.end()) return;
  throw InputError(what, "it has place " + std::to_string(*twice) + " twice",
                   "give each place once, and two lists that are the same or have none in common");
}

}  // namespace

void check(CostMatrix const& matrix, std::size_t places) {
  check_places(matrix, places);
  std::string const what = "matrix '" + matrix.name + "'";
  // Neither list has a place twice, so the product is small.
  if (matrix.values.size() != matrix.from.size() * matrix.to.size()) {
    throw InputError(what,
                     "it has " + std::to_string(matrix.values.size()) + " values for " +
                         std::to_string(matrix.from.size()) + " rows and " +
                         std::to_string(matrix.to.size()) + " columns",
                     "give one for each row and column, 0 where nothing was measured");
  }
  for (double const value : matrix.values) {
    if (std::isfinite(value) && value >= 0.0) continue;
    throw InputError(what, "it has the value " + std::to_string(value),
                     "costs are numbers from 0, and 0 is what was not measured");
  }
}

bool has_unit(CostMatrix const& matrix) {
  return matrix.name.starts_with(measured_prefix) && matrix.kind != CostKind::other;
}

std::string_view name_of(CostKind kind) {
  switch (kind) {
    case CostKind::latency:
      return "latency";
    case CostKind::bandwidth:
      return "bandwidth";
    case CostKind::other:
      return "other";
  }
  return "";
}

}  // namespace makespan::machine
