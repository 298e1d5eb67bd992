// SPDX-License-Identifier: Apache-2.0
#pragma once

// Heartbeats of a node's images that need no carrier: a pulse counts as a beat.

#include <optional>

#include "makespan/pgas/job/heartbeat_transport.hpp"
#include "makespan/pgas/job/node_pulse.hpp"

namespace makespan::pgas {

// Everything else goes by the carrier. Keeps references. Tested by
// tests/pgas/job/node_pulse_test.cpp.
class PulsedHeartbeatTransport final : public HeartbeatTransport {
 public:
  PulsedHeartbeatTransport(HeartbeatTransport& carrier, NodePulse& pulse)
      : carrier_{carrier}, pulse_{pulse} {}

  void send(HeartbeatSend const& send) override { carrier_.send(send); }

  [[nodiscard]] std::optional<HeartbeatEvent> receive() override {
    if (auto const mate = pulse_.next_alive()) return HeartbeatHeard{*mate, {}};
    return carrier_.receive();
  }

  void fall_silent() override {
    pulse_.stop();
    carrier_.fall_silent();
  }

 private:
  HeartbeatTransport& carrier_;
  NodePulse& pulse_;
};

}  // namespace makespan::pgas
