// SPDX-License-Identifier: Apache-2.0
#pragma once

// A smaller graph whose objects are groups of objects that say much to each other.

#include <cstdint>
#include <vector>

#include "makespan/graph/model/graph.hpp"
#include "makespan/graph/model/places.hpp"

namespace makespan::graph {

struct Clusters {
  Graph graph;                       // of clusters: their work, bytes and traffic are sums
  std::vector<std::int32_t> number;  // of the cluster, by object

  // Where the objects are, with clusters there.
  [[nodiscard]] Mapping spread(Mapping const& of_clusters) const;
};

// Label propagation of bounded size (Raghavan, Albert, Kumara 2007; Meyerhenke, Sanders, Schulz,
// "Partitioning complex networks via size-constrained clustering", 2014): objects join the cluster
// that they say most to and hear most from, if its work stays within `work_max_s`
// (mean_costs.hpp). Objects that may not move are in clusters of their own, which others may
// join. O(objects + edges). Tested by tests/graph/partition/clusters_test.cpp.
[[nodiscard]] Clusters clusters_of(Graph const& graph, Places const& places, double work_max_s);

}  // namespace makespan::graph
