// SPDX-License-Identifier: Apache-2.0
#pragma once

// The NUCO factor (non-uniform communication): how many times longer it takes to reach a place than
// to reach one's own.
//
//   factor(i, j) = latency(i, j) / local latency(i)
//
// Source: Pilla et al., A Hierarchical Approach for Load Balancing on Parallel Multi-core Systems,
// ICPP 2012, where it weighs the messages of NucoLB.

#include <span>
#include <vector>

#include "makespan/machine/cost_matrix.hpp"
#include "makespan/machine/topology.hpp"

namespace makespan::machine {

// Factors of a table of latencies with as many rows as `local`, which holds each row's local
// latency. Of a pair that was not measured, or a row whose local latency was not, 0.
[[nodiscard]] std::vector<double> nuco_factors(std::span<double const> latencies,
                                               std::span<double const> local);

// The least latency measured of each row; 0 of a row without any.
[[nodiscard]] std::vector<double> least_latencies(std::span<double const> latencies, int rows);

// Factors of a matrix of the topology. The local latency of a place is that to its local memory
// (the least, of several kinds), or, where the columns hold none, to its nearest place.
[[nodiscard]] std::vector<double> nuco_factors(Topology const& topology, CostMatrix const& latency);

}  // namespace makespan::machine
