// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/mpi/mpi_heartbeat_post.hpp"

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

MpiHeartbeatPost::MpiHeartbeatPost(MpiCommunicator communicator, ImageId self)
    : communicator_{std::move(communicator)}, self_{self} {
  int size = 0;
  check_mpi(MPI_Comm_size(communicator_.get(), &size), "MPI_Comm_size", self);
  has_failed_.resize(static_cast<std::size_t>(size), false);
}

MpiHeartbeatPost::~MpiHeartbeatPost() {
  move_letters();
  if (letters_.empty()) return;
  for (auto& letter : letters_) leak(std::move(letter));
  static_cast<void>(communicator_.release());  // still in use
}

void MpiHeartbeatPost::send(HeartbeatSend const& send) {
  int const to = checked_cast<int>(send.to.value());
  bool const is_again = std::ranges::any_of(letters_, [&](auto const& letter) {
    return letter->to == to && letter->message == send.message;
  });
  if (is_again) return;
  auto letter = std::make_unique<Letter>(Letter{.message = send.message, .to = to});
  if (!is_gone(*letter)) letters_.push_back(std::move(letter));
}

std::optional<HeartbeatEvent> MpiHeartbeatPost::receive() {
  int has_come = 0;
  MPI_Status status{};
  int code = MPI_Iprobe(MPI_ANY_SOURCE, tag, communicator_.get(), &has_come, &status);
  HeartbeatMessage message;
  if (code == MPI_SUCCESS && has_come != 0) {
    code = MPI_Recv(&message, message_bytes, MPI_BYTE, status.MPI_SOURCE, tag, communicator_.get(),
                    MPI_STATUS_IGNORE);
  }
  if (is_process_failure(code)) {
    note_failures();
    has_come = 0;
  } else {
    check_mpi(code, "MPI_Iprobe or MPI_Recv", self_);
  }
  if (has_come != 0) return HeartbeatHeard{ImageId{status.MPI_SOURCE}, message};
  if (failures_.empty()) {
    move_letters();
    return std::nullopt;
  }
  ImageId const failed = failures_.front();
  failures_.pop_front();
  return HeartbeatSuspect{.image = failed, .cause = LossCause::ended};
}

void MpiHeartbeatPost::move_letters() {
  std::erase_if(letters_, [this](auto const& letter) { return is_gone(*letter); });
}

// Begins to send if it has not begun; true when the letter needs nobody's care any more.
bool MpiHeartbeatPost::is_gone(Letter& letter) {
  int is_done = 0;
  int code = MPI_SUCCESS;
  if (letter.request == MPI_REQUEST_NULL) {
    ++letter.attempts;
    code = MPI_Isend(&letter.message, message_bytes, MPI_BYTE, letter.to, tag, communicator_.get(),
                     &letter.request);
  }
  if (code == MPI_SUCCESS) code = MPI_Test(&letter.request, &is_done, MPI_STATUS_IGNORE);
  if (code == MPI_SUCCESS) return is_done != 0;
  if (is_process_failure(code)) {
    note_failures();
    return true;
  }
  // Once more at the next look, unless MPI still holds it: then it can only be given up.
  return letter.request == MPI_REQUEST_NULL && letter.attempts >= attempts_max;
}

void MpiHeartbeatPost::note_failures() {
  for (int const rank : failed_ranks(communicator_.get())) {
    auto const at = static_cast<std::size_t>(rank);
    if (has_failed_[at]) continue;
    has_failed_[at] = true;
    failures_.emplace_back(rank);
  }
}

}  // namespace makespan::pgas
