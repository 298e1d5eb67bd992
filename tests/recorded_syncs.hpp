// SPDX-License-Identifier: Apache-2.0
#pragma once

// What this program forces to disk: recorded_syncs.cpp stands in for fsync(). For one thread.

#include <functional>
#include <string>
#include <vector>

namespace makespan {

// Paths, as they were then, in the order in which they were forced.
std::vector<std::string>& recorded_syncs();

// The next calls of fsync() fail with this errno; 0: they do what they should.
void fail_syncs_with(int error);

// With the path of each file before it is forced; null: no more.
void call_at_syncs(std::function<void(std::string const& path)> function);

}  // namespace makespan
