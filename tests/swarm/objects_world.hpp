// SPDX-License-Identifier: Apache-2.0
#pragma once

// Objects that send each other messages and move, in a virtual world. Real: ObjectPlace,
// Coordinator, Quiescence, LocationTable, BalanceTrigger, Rebalancer, copies of objects and what is
// done with them after a loss. Played: what RuntimeMessenger and the runtime do
// (objects_messenger.hpp).
//
// In each world every word is heard once in the run that counts; quiet is not declared while a word
// is under way or heard, or an object between two places; every place ends.

#include "swarm/faults.hpp"
#include "swarm/objects_plan.hpp"
#include "swarm/verdict.hpp"

namespace makespan::swarm {

[[nodiscard]] Verdict run_world(ObjectsPlan const& plan, Fault fault, Story const& story);

}  // namespace makespan::swarm
