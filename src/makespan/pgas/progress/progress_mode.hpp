// SPDX-License-Identifier: Apache-2.0
#pragma once

// Who drives progress, named.

#include <cstdint>

namespace makespan::pgas {

// Who moves messages while the threads of an image compute.
enum class ProgressMode : std::uint8_t {
  manual,  // no helper: only calls that say "Drives progress: yes"
  nap,     // a helper thread that looks, and sleeps 50 µs when there was nothing
  event,   // a helper thread that sleeps until the network wakes it; as nap on a transport without
           // events (am, rma)
  spin,    // a helper thread that never rests, and wants a core of its own
};

}  // namespace makespan::pgas
