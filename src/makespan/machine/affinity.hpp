// SPDX-License-Identifier: Apache-2.0
#pragma once

// The cores that this process may use.

#include <vector>

namespace makespan::machine {

// Numbers of the cores in the process's affinity mask, rising; at least one. Where the system has
// no such mask, as many as it has cores.
[[nodiscard]] std::vector<int> allowed_cores();

// Cores that this node has switched on, whoever may use them; at least one.
[[nodiscard]] int cores_online();

enum class PinOutcome { pinned, refused };

// Ties the calling thread to one core. Refused where the system cannot, or where the core has gone
// since: a thread that is not pinned is slower at worst, so this is no error.
PinOutcome pin_this_thread(int core);

}  // namespace makespan::machine
