// SPDX-License-Identifier: Apache-2.0
#pragma once

// Work that may end the process, done in a copy of it first.

#include <chrono>
#include <cstdint>
#include <functional>
#include <string_view>

namespace makespan::machine {

enum class Trial : std::uint8_t {
  ended,    // it returned, or threw
  crashed,  // it ended its process, or took longer than the limit
};

// Runs `work` in a child process, of which nothing comes back and nothing is printed, and waits for
// it. What is a function of values does here what it did there. Blocks for `limit` at most. The
// child has this thread only, so `work` must not wait for others. Throws InputError that names
// `what` where no process can be started.
//
// Tested by tests/machine/try_apart_test.cpp.
[[nodiscard]] Trial try_apart(std::function<void()> const& work, std::chrono::seconds limit,
                              std::string_view what);

}  // namespace makespan::machine
