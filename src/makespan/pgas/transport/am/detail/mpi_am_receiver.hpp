// SPDX-License-Identifier: Apache-2.0
#pragma once

// The way into a link: a few receives are posted for the next sender, and what has arrived is
// delivered in the order in which each image sent it.
//
// Posted receives rather than probes: between two hosts over TCP a message that finds its receive
// waiting comes back after 13.1 µs, as with bare MPI calls, and one that is probed for after 13.9
// µs; on a node 0.46 against 0.56 µs (MPICH 4.0.2, 2-core virtual machine, 64 bytes). Few, since
// MPI searches them one by one: with 64 of them each message on the node took 0.4 µs longer.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "makespan/base/ids.hpp"
#include "makespan/pgas/mpi/mpi_api.hpp"
#include "makespan/pgas/transport/am/am_buffer.hpp"
#include "makespan/pgas/transport/am/detail/am_frame.hpp"
#include "makespan/pgas/transport/am/link_lock.hpp"
#include "makespan/pgas/transport/am/mpi_am_context.hpp"
#include "makespan/pgas/transport/link.hpp"

namespace makespan::pgas {

// Callable as the link is; of threads that poll at the same time, one does the work.
//
// What of one image may not be delivered yet, since a long message before it is still on its way,
// waits in a list of bounded length. When that is full nothing more is taken from MPI.
class AmReceiver {
 public:
  explicit AmReceiver(AmContext const& context);
  // Takes back the receives; what cannot be taken back within the context's limit is leaked.
  ~AmReceiver();
  AmReceiver(AmReceiver const&) = delete;
  AmReceiver& operator=(AmReceiver const&) = delete;

  // Delivers at most one short message, and the long ones that have come. Returns how many.
  int poll(MessageSink& sink);

  void abandon(ImageId image);

 private:
  // A receive for a frame, from any source.
  struct Slot {
    AmShortMessage message;
    MPI_Request request{MPI_REQUEST_NULL};
    bool has_arrived{false};
    std::size_t source{0};  // once arrived; may be no image
  };

  // A message that has been accepted and not delivered: a long one, or one behind it.
  struct Waiting {
    std::size_t source{0};
    AmFrame frame{};
    AmBuffer payload{};
    MPI_Request request{MPI_REQUEST_NULL};  // null: the payload is there, or lost
    bool is_lost{false};
  };

  // What is known of one image.
  struct Source {
    std::uint32_t next_number{0};
    int waiting{0};
    bool is_abandoned{false};
    std::uint64_t blocked_in_round{0};
  };

  // All with the lock held.
  void post(Slot& slot);
  [[nodiscard]] int deliver_next(MessageSink& sink);
  // Fills `room` where the message is to wait. Takes nothing where there is no memory for that.
  [[nodiscard]] Slot* take_next(AmBuffer& room);
  [[nodiscard]] bool has_arrived(Slot& slot);
  // Throws BadMessage.
  void expect_frame(Slot const& slot, MPI_Status const& status) const;
  void note_failure(Slot& slot, int code);
  [[nodiscard]] bool is_acceptable(Slot const& slot) const;
  [[nodiscard]] bool must_wait(Slot const& slot) const;
  void accept(Slot const& slot, AmBuffer room, MessageSink& sink);
  void expect_payload(std::size_t source, AmFrame const& frame, AmBuffer room);
  void keep(Waiting message);

  [[nodiscard]] int deliver_waiting(MessageSink& sink);
  // Throws BadMessage, as expect_whole().
  [[nodiscard]] bool is_here(Waiting& message);
  void expect_whole(Waiting& message, MPI_Status const& status) const;
  [[nodiscard]] Waiting take_waiting(std::size_t at);
  void drop(Waiting message);
  void take_back();

  AmContext context_;
  std::size_t long_bytes_max_;
  LinkLock lock_;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::vector<Slot*> posted_;  // in the order in which MPI fills them
  std::vector<Slot*> spent_;   // to be posted again
  std::vector<Source> sources_;
  std::vector<Waiting> waiting_;  // in the order in which they were accepted
  AmBufferPool buffers_;
  std::size_t long_bytes_{0};        // of payloads that wait
  std::vector<AmBuffer> forgotten_;  // MPI may write to them still
  std::uint64_t round_{0};           // of poll()
  bool head_is_overtaken_{false};    // a receive behind the first was done before it
};

}  // namespace makespan::pgas
