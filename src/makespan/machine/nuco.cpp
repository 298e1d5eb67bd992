// SPDX-License-Identifier: Apache-2.0
#include "makespan/machine/nuco.hpp"

#include <algorithm>
#include <cstddef>

#include "makespan/base/contracts.hpp"

namespace makespan::machine {

namespace {

// The lesser of two latencies, of which 0 is none.
double lesser(double a, double b) {
  if (a == 0.0 || b == 0.0) return std::max(a, b);
  return std::min(a, b);
}

// To the local memory of row `row`'s place; 0 if the columns hold none, or it was not measured.
double latency_to_local_memory(Topology const& topology, CostMatrix const& latency,
                               std::size_t row) {
  double least = 0.0;
  for (int const node : local_memory(topology, latency.from[row])) {
    auto const column = std::ranges::find(latency.to, node);
    if (column == latency.to.end()) continue;
    least = lesser(least, latency.at(row, static_cast<std::size_t>(column - latency.to.begin())));
  }
  return least;
}

}  // namespace

std::vector<double> nuco_factors(std::span<double const> latencies, std::span<double const> local) {
  if (local.empty()) return {};
  MAKESPAN_EXPECT(latencies.size() % local.size() == 0);
  std::size_t const columns = latencies.size() / local.size();
  std::vector<double> factors(latencies.size());
  for (std::size_t pair = 0; pair < latencies.size(); ++pair) {
    double const nearest = local[pair / columns];
    factors[pair] = nearest > 0.0 ? latencies[pair] / nearest : 0.0;
  }
  return factors;
}

std::vector<double> least_latencies(std::span<double const> latencies, int rows) {
  std::vector<double> least(static_cast<std::size_t>(rows));
  if (rows == 0) return least;
  std::size_t const columns = latencies.size() / least.size();
  for (std::size_t pair = 0; pair < latencies.size(); ++pair) {
    least[pair / columns] = lesser(least[pair / columns], latencies[pair]);
  }
  return least;
}

std::vector<double> nuco_factors(Topology const& topology, CostMatrix const& latency) {
  MAKESPAN_EXPECT(latency.kind == CostKind::latency);
  std::vector<double> local =
      least_latencies(latency.values, static_cast<int>(latency.from.size()));
  for (std::size_t row = 0; row < local.size(); ++row) {
    double const own = latency_to_local_memory(topology, latency, row);
    if (own > 0.0) local[row] = own;
  }
  return nuco_factors(latency.values, local);
}

}  // namespace makespan::machine
