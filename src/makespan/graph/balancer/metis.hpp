// SPDX-License-Identifier: Apache-2.0
#pragma once

// The graph partitioner METIS as a balancer.

#include <cstdint>

#include "makespan/graph/balancer/balancer.hpp"

namespace makespan::graph {

// METIS 5's k-way partitioning (G. Karypis, V. Kumar, "Multilevel k-way partitioning scheme for
// irregular graphs", J. Parallel Distrib. Comput. 48(1), 1998,
// https://doi.org/10.1006/jpdc.1997.1404) with target weights by the shares of places. METIS knows
// no vertices that are fixed: those of a place are one vertex, and parts are then given to places
// with the same share, first those that talk most with what is fixed there. Distances are not seen,
// nor where objects are now.
//
// METIS draws from the C library's rand(), one sequence for all threads, which it begins anew: two
// threads at a time would disturb each other's answer, so map() of this balancer is callable from
// one thread at a time. The constructor throws NotConfigured in builds without METIS. Tested by
// tests/graph/balancer/partitioners_test.cpp.
class MetisBalancer final : public Balancer {
 public:
  static constexpr std::string_view name = "metis";
  static constexpr std::string_view summary =
      "the partitioner METIS: few messages between places, work by their speed";
  [[nodiscard]] static bool is_built();
  [[nodiscard]] static std::span<OptionHelp const> option_help();

  explicit MetisBalancer(OptionValues const& given);

  [[nodiscard]] Mapping map(Graph const& graph, Places const& places) const override;

 private:
  explicit MetisBalancer(CheckedOptions const& options);

  double imbalance_;
  std::uint64_t seed_;
};

}  // namespace makespan::graph
