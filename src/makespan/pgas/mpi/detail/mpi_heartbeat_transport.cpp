// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/mpi/detail/mpi_heartbeat_transport.hpp"

#include <algorithm>
#include <utility>

#include "makespan/base/checked_cast.hpp"
#include "makespan/pgas/job/leak.hpp"
#include "makespan/pgas/mpi/mpi_error.hpp"

namespace makespan::pgas {

namespace {

constexpr int tag = 0;
constexpr int message_bytes = sizeof(HeartbeatMessage);

// As many as there are beats before an image is lost: then it makes no difference any more.
constexpr int attempts_max = 5;

}  // namespace

MpiHeartbeatTransport::MpiHeartbeatTransport(MpiCommunicator communicator, ImageId self)
    : communicator_{std::move(communicator)}, self_{self} {
  int size = 0;
  check_mpi(MPI_Comm_size(communicator_.get(), &size), "MPI_Comm_size", self);
  has_failed_.resize(static_cast<std::size_t>(size), false);
}

MpiHeartbeatTransport::~MpiHeartbeatTransport() {
  advance_sends();
  if (pending_.empty()) return;
  for (auto& pending : pending_) leak(std::move(pending));
  static_cast<void>(communicator_.release());  // still in use
}

void MpiHeartbeatTransport::send(HeartbeatSend const& send) {
  int const to = checked_cast<int>(send.to.value());
  // While one is on its way, another that says the same adds nothing.
  bool const is_again = std::ranges::any_of(pending_, [&](auto const& pending) {
    return pending->to == to && pending->message == send.message;
  });
  if (is_again) return;
  auto pending = std::make_unique<PendingSend>(PendingSend{.message = send.message, .to = to});
  if (!is_gone(*pending)) pending_.push_back(std::move(pending));
}

std::optional<HeartbeatEvent> MpiHeartbeatTransport::receive() {
  int has_come = 0;
  MPI_Status status{};
  int code = MPI_Iprobe(MPI_ANY_SOURCE, tag, communicator_.get(), &has_come, &status);
  HeartbeatMessage message;
  if (code == MPI_SUCCESS && has_come != 0) {
    code = MPI_Recv(&message, message_bytes, MPI_BYTE, status.MPI_SOURCE, tag, communicator_.get(),
                    MPI_STATUS_IGNORE);
  }
  // Of a receive from any source, which fails for as long as there are failures that were not
  // acknowledged.
  if (is_process_failure(code)) {
    note_failures();
    has_come = 0;
  } else {
    check_mpi(code, "MPI_Iprobe or MPI_Recv", self_);
  }
  if (has_come != 0) return HeartbeatHeard{ImageId{status.MPI_SOURCE}, message};
  if (failures_.empty()) {
    advance_sends();
    return std::nullopt;
  }
  ImageId const failed = failures_.front();
  failures_.pop_front();
  return HeartbeatSuspect{.image = failed, .cause = LossCause::ended};
}

void MpiHeartbeatTransport::advance_sends() {
  std::erase_if(pending_, [this](auto const& pending) { return is_gone(*pending); });
}

// Begins to send if it has not begun; true when the send is over and can be dropped.
bool MpiHeartbeatTransport::is_gone(PendingSend& pending) {
  int is_done = 0;
  int code = MPI_SUCCESS;
  if (pending.request == MPI_REQUEST_NULL) {
    ++pending.attempts;
    code = MPI_Isend(&pending.message, message_bytes, MPI_BYTE, pending.to, tag,
                     communicator_.get(), &pending.request);
    // MPI does not say what it leaves there.
    if (code != MPI_SUCCESS) pending.request = MPI_REQUEST_NULL;
  }
  if (code == MPI_SUCCESS) code = MPI_Test(&pending.request, &is_done, MPI_STATUS_IGNORE);
  if (code == MPI_SUCCESS) return is_done != 0;
  if (is_process_failure(code)) {
    note_failures();
    return true;
  }
  // Once more at the next look, unless MPI still holds it: then it can only be given up.
  return pending.request == MPI_REQUEST_NULL && pending.attempts >= attempts_max;
}

void MpiHeartbeatTransport::note_failures() {
  for (int const rank : failed_ranks(communicator_.get())) {
    auto const at = static_cast<std::size_t>(rank);
    if (has_failed_[at]) continue;
    has_failed_[at] = true;
    failures_.emplace_back(rank);
  }
}

}  // namespace makespan::pgas
