// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "makespan/pgas/message/wire.hpp"

namespace makespan::pgas {

class Endpoint;

// A remote call that waits to be run: lies before its arguments in a task.
struct QueuedCall {
  Endpoint* runner{};  // whose thread runs it: set when it is taken out
  std::uint64_t code{};
  WireToken token{};
  std::int32_t source{};  // the image that sent it
};

}  // namespace makespan::pgas
