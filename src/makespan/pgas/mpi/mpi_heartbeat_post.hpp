// SPDX-License-Identifier: Apache-2.0
#pragma once

// Heartbeats as messages of MPI, on a communicator of their own.

#include <deque>
#include <memory>
#include <vector>

#include "makespan/pgas/job/heartbeat_post.hpp"
#include "makespan/pgas/mpi/mpi_communicator.hpp"

namespace makespan::pgas {

// Image i is rank i. Sends are never waited for: one to a dead process may never end. Its memory is
// then leaked, knowingly, when this goes.
class MpiHeartbeatPost final : public HeartbeatPost {
 public:
  MpiHeartbeatPost(MpiCommunicator communicator, ImageId self);
  ~MpiHeartbeatPost() override;

  void send(HeartbeatSend const& send) override;

  // Throws MpiError where receiving fails for another reason than a failed process.
  [[nodiscard]] std::optional<HeartbeatEvent> receive() override;

 private:
  struct Letter {
    HeartbeatMessage message;
    int to;
    MPI_Request request{MPI_REQUEST_NULL};
    int attempts{0};
  };

  void move_letters();
  [[nodiscard]] bool is_gone(Letter& letter);
  void note_failures();

  MpiCommunicator communicator_;
  ImageId self_;
  // At most one beat to each image, and each loss twice.
  std::vector<std::unique_ptr<Letter>> letters_;
  std::vector<bool> has_failed_;  // by image: MPI has told, once
  std::deque<ImageId> failures_;  // that are still to be reported
};

}  // namespace makespan::pgas
