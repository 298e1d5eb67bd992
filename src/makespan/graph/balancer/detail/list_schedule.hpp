// SPDX-License-Identifier: Apache-2.0
#pragma once

// Greedy that knows what the messages that an object receives cost it on each place.

#include "makespan/graph/model/graph.hpp"
#include "makespan/graph/model/places.hpp"
#include "makespan/graph/times/message_costs.hpp"

namespace makespan::graph {

// All places begin with the times of the objects that are there now. The heaviest object first,
// each is taken off its place and put on the place p of least L(p) + time there + M(domain of p),
// with M what `messages` says of those that it receives from objects as they are placed by then.
// Times are those of objects only: the messages of others do not make a place late.
//
// A domain's best place is the one where the object would end first, so that a heap for each domain
// finds what the published code of NucoLB finds by computing M anew for each place. Of equal
// domains the first. O(objects (log objects + domains · rows of DomainTimes) + edges · domains), at
// most: M is computed once for each domain that an object hears from.
//
// Tested by tests/graph/balancer/list_schedule_test.cpp.
[[nodiscard]] Mapping list_schedule(Graph const& graph, Places const& places,
                                    MessageCosts messages);

}  // namespace makespan::graph
