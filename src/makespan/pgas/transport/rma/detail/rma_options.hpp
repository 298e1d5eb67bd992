// SPDX-License-Identifier: Apache-2.0
#pragma once

// How memory operations go through MPI's windows.

#include "makespan/base/quantity.hpp"
#include "makespan/pgas/transport/am/am_options.hpp"

namespace makespan::pgas {

struct RmaOptions {
  // Remote calls go by messages.
  AmOptions messages{};
  // Operations under way at a time, per channel. A thread that begins more gets `busy`.
  int operations_max{256};
  // How long the first operation on the window may take.
  Seconds probe_limit{5.0};
};

}  // namespace makespan::pgas
