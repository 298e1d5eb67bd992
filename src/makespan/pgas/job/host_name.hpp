// SPDX-License-Identifier: Apache-2.0
#pragma once

// What this machine calls itself.

#include <string>

namespace makespan::pgas {

// Callable from any thread. "unknown host" if the machine has no name.
[[nodiscard]] std::string host_name();

}  // namespace makespan::pgas
