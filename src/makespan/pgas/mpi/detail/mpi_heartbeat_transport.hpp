// SPDX-License-Identifier: Apache-2.0
#pragma once

// Heartbeats as messages of MPI, on a communicator of their own.

#include <deque>
#include <memory>
#include <vector>

#include "makespan/pgas/job/heartbeat_transport.hpp"
#include "makespan/pgas/mpi/mpi_communicator.hpp"

namespace makespan::pgas {

// Image i is rank i. Sends are never waited for: one to a dead process may never end. Its memory is
// then leaked, knowingly, when this goes.
class MpiHeartbeatTransport final : public HeartbeatTransport {
 public:
  MpiHeartbeatTransport(MpiCommunicator communicator, ImageId self);
  ~MpiHeartbeatTransport() override;

  void send(HeartbeatSend const& send) override;

  // Throws MpiError where receiving fails for another reason than a failed process.
  [[nodiscard]] std::optional<HeartbeatEvent> receive() override;

 private:
  struct PendingSend {
    HeartbeatMessage message;
    int to;
    MPI_Request request{MPI_REQUEST_NULL};
    int attempts{0};
  };

  void advance_sends();
  [[nodiscard]] bool is_gone(PendingSend& pending);
  void note_failures();

  MpiCommunicator communicator_;
  ImageId self_;
  // At most one beat to each image, and each loss twice.
  std::vector<std::unique_ptr<PendingSend>> pending_;
  std::vector<bool> has_failed_;  // by image: MPI has told, once
  std::deque<ImageId> failures_;  // that are still to be reported
};

}  // namespace makespan::pgas
