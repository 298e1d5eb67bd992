// SPDX-License-Identifier: Apache-2.0
#pragma once

// A box for each node of a cluster, by weight: in three dimensions, because a box that is cut along
// one axis only has the same surface however many nodes there are.

#include <span>
#include <vector>

#include "makespan/grid/cut/box.hpp"
#include "makespan/grid/cut/plane_weights.hpp"

namespace makespan::grid {

// Boxes that together are `domain` and have no point in common, as many points each as their weight
// says, up to a layer of each cut. By recursive bisection: the row of weights is parted where the
// halves are most alike, and the box across its longest axis (the first of them; so surfaces stay
// small). Which weights there are decides alone, so all who ask get the same. Without weight there
// is no point; with one there are some, if the domain has as many layers as it takes. Across z
// layers count by what `planes` says they cost.
//
// Throws InputError without weights, where one is negative or no number, and where all are 0.
// Tested by tests/grid/cut/box_cut_test.cpp.
[[nodiscard]] std::vector<Box> boxes_by_weight(Box const& domain, std::span<double const> weights,
                                               PlaneWeights const& planes = {});

}  // namespace makespan::grid
