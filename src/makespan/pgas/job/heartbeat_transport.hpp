// SPDX-License-Identifier: Apache-2.0
#pragma once

// How heartbeats travel.

#include <optional>

#include "makespan/pgas/job/detail/heartbeat_ring.hpp"

namespace makespan::pgas {

// Used by one thread. Nothing here blocks.
class HeartbeatTransport {
 public:
  HeartbeatTransport() = default;
  HeartbeatTransport(HeartbeatTransport const&) = delete;
  HeartbeatTransport& operator=(HeartbeatTransport const&) = delete;
  virtual ~HeartbeatTransport() = default;

  // What cannot be sent is forgotten, after a few attempts: silence speaks for itself.
  virtual void send(HeartbeatSend const& send) = 0;

  // The next thing that has come: HeartbeatHeard, or HeartbeatSuspect where the carrier itself says
  // that a process is gone. Nothing if nothing has come.
  [[nodiscard]] virtual std::optional<HeartbeatEvent> receive() = 0;

  // This image is given up: nothing that says by itself that it lives may go on saying so.
  virtual void fall_silent() {}
};

}  // namespace makespan::pgas
