// SPDX-License-Identifier: Apache-2.0
#pragma once

// What this program forces to disk: recorded_syncs.cpp stands in for fsync(). For one thread.

#include <string>
#include <vector>

namespace makespan {

// Paths, as they were then, in the order in which they were forced.
std::vector<std::string>& recorded_syncs();

// The next calls of fsync() fail with this errno; 0: they do what they should.
void fail_syncs_with(int error);

}  // namespace makespan
