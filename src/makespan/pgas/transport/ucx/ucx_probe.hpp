// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether UCX works here at all.

#include "makespan/pgas/job/job.hpp"

namespace makespan::pgas {

// Each image sends one message to a neighbour, on another host if there is one, and waits for that
// of another neighbour, 5 s at most. True on all images if all got theirs.
//
// Collective over the job · Blocks until all images have tried, 6 s at most where UCX does not work
// · Allocates. Throws nothing because UCX is missing or broken on some image; ImageFailed if one is
// lost meanwhile.
[[nodiscard]] bool ucx_probe_all(Job& job);

}  // namespace makespan::pgas
