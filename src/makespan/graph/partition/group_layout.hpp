// SPDX-License-Identifier: Apache-2.0
#pragma once

// Puts groups of objects that talk most to each other near each other.

#include "makespan/graph/model/graph.hpp"
#include "makespan/graph/model/places.hpp"

namespace makespan::graph {

// Groups, the objects that `groups` puts in one place, change places with others on places of the
// same kind and speed, which leaves their times of computing as they are. Bottom up, by
// grouping.hpp: each domain takes a group and then, one by one, the group that has most bytes with
// those it has; what the domains took is then taken in the same way by what they are part of, level
// by level up to nodes, among those with the same places. A group's bytes with objects that may not
// move count where those are; they are no part of groups. Should the phase be longer than with
// `groups`, which such objects may bring about, `groups` is the answer. O(edges + levels · places²
// log places). Tested by tests/graph/partition/group_layout_test.cpp.
[[nodiscard]] Mapping laid_out(Graph const& graph, Places const& places, Mapping const& groups);

}  // namespace makespan::graph
