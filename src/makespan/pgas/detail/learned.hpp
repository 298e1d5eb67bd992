// SPDX-License-Identifier: Apache-2.0
#pragma once

// What an endpoint's thread has found out, behind a pointer: what users compile does not need it.

#include "makespan/pgas/endpoint.hpp"
#include "makespan/pgas/message/recent_codes.hpp"
#include "makespan/pgas/progress/idle_core.hpp"
#include "makespan/pgas/task/victims.hpp"

namespace makespan::pgas {

struct Endpoint::Learned {
  IdleCore core{};
  RecentCodes codes;
  Victims victims;
};

}  // namespace makespan::pgas
