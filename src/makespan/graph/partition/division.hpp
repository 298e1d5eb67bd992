// SPDX-License-Identifier: Apache-2.0
#pragma once

// Divides a graph among places so that little goes from one part to another.

#include "makespan/graph/model/graph.hpp"
#include "makespan/graph/model/places.hpp"

namespace makespan::graph {

// Recursive bisection (Simon, Teng, "How good is recursive bisection?", 1997): the places are cut
// in two, between nodes as long as there are several, then between domains, else anywhere, and
// objects in proportion to the speed of both halves. One half grows from an object far out, each
// time by the one that it is bound to most (Karypis, Kumar 1998), then objects change sides while
// less is cut that way (Fiduccia, Mattheyses 1982). Objects that may not move are where they are.
// Where work differs by kind of place, an object counts as the mean of its times.
//
// O((objects + edges) log objects log places). Tested by tests/graph/partition/division_test.cpp.
[[nodiscard]] Mapping divide(Graph const& graph, Places const& places);

}  // namespace makespan::graph
