// SPDX-License-Identifier: Apache-2.0
#pragma once

// A program that is run to its end.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "makespan/base/quantity.hpp"

namespace makespan::grid {

struct ChildOutcome {
  bool is_started{};
  bool is_ended{};    // by itself, within the limit
  bool is_stopped{};  // as it was asked
  int status{};       // 0 where it succeeded, or where the system does not tell
};

// Runs it with both of its outputs in a file. Blocks until it ends; after `limit` it is killed, and
// as soon as `is_stopped` says so, which is asked all the time and may throw.
[[nodiscard]] ChildOutcome run_child(std::vector<std::string> const& command,
                                     std::filesystem::path const& output, Seconds limit,
                                     std::function<bool()> const& is_stopped = {});

}  // namespace makespan::grid
