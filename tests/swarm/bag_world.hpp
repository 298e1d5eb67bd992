// SPDX-License-Identifier: Apache-2.0
#pragma once

// Images share bags in a virtual world. Real: TeamRun, Gang, LocalDispatcher, WorkerBoard,
// ClaimMachine, ImageDispatcher, CompletionServer, CompletionTracker, policies. Played: what
// ImageTeam's main thread does, in the same order, and the runtime below (bag_links.hpp).
//
// In each world each item is counted once, and done once where no image is lost; nothing is handed
// out whose result is counted; each bag ends, and complete where a device is left; all that has
// begun ends.

#include "swarm/bag_plan.hpp"
#include "swarm/faults.hpp"
#include "swarm/verdict.hpp"

namespace makespan::swarm {

[[nodiscard]] Verdict run_world(BagPlan const& plan, Fault fault, Story const& story);

}  // namespace makespan::swarm
