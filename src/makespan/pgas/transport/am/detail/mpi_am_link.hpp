// SPDX-License-Identifier: Apache-2.0
#pragma once

// A link by MPI's two-sided calls: a sender and a receiver that know nothing of each other.

#include "makespan/pgas/transport/am/detail/mpi_am_receiver.hpp"
#include "makespan/pgas/transport/am/detail/mpi_am_sender.hpp"
#include "makespan/pgas/transport/am/mpi_am_context.hpp"
#include "makespan/pgas/transport/link.hpp"

namespace makespan::pgas {

// Concurrent callers rely on MPI_THREAD_MULTIPLE and on two locks: one thread may send while
// another receives.
class AmLink final : public Link {
 public:
  explicit AmLink(AmContext const& context)
      : message_bytes_max_{context.options.message_bytes_max},
        sender_{context},
        receiver_{context} {}

  SendOutcome send(ImageId to, WireHeader const& header,
                   std::span<std::byte const> payload) override {
    return sender_.send(to, header, payload);
  }

  // What arrives comes first: a thread waits for it.
  int poll(MessageSink& sink) override {
    int const delivered = receiver_.poll(sink);
    return delivered + sender_.collect();
  }

  std::int64_t payload_bytes_max() const override { return message_bytes_max_; }

  // MPI has what was sent, though some of it may wait in MPI's own buffers for the next poll().
  bool is_drained() const override { return sender_.is_drained(); }

  void abandon(ImageId image) override {
    sender_.abandon(image);
    receiver_.abandon(image);
  }

 private:
  std::int64_t message_bytes_max_;
  AmSender sender_;
  AmReceiver receiver_;
};

}  // namespace makespan::pgas
