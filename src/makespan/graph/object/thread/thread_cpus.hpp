// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which CPU each thread of an image is tied to.

#include <span>
#include <vector>

#include "makespan/machine/topology.hpp"

namespace makespan::graph {

// Of an image that may use `allowed` CPUs (the system's numbers), as `images` images of its host
// may, of which it is number `image`. Each thread of these images gets a core of its own, the cores
// spread evenly over those allowed, an image's threads beside each other; where there are not
// enough, a CPU of its own; where there are not enough of these either, none (-1), and the system
// has them take turns. A topology without places knows no cores: CPUs count. Tested by
// tests/graph/object/thread/thread_cpus_test.cpp.
[[nodiscard]] std::vector<int> thread_cpus(machine::Topology const& topology,
                                           std::span<int const> allowed, int image, int images,
                                           int threads);

}  // namespace makespan::graph
