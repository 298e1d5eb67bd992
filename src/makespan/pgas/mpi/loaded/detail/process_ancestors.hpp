// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which programs this process descends from: a launcher is among them.

#include <filesystem>
#include <vector>

namespace makespan::pgas {

// Nearest first, as files without links; without those that this user may not know. `proc` is where
// the kernel shows processes, or what a test puts in its place. Does not throw for what cannot be
// read: the list then ends.
[[nodiscard]] std::vector<std::filesystem::path> process_ancestors(
    std::filesystem::path const& proc = "/proc");

}  // namespace makespan::pgas
