// SPDX-License-Identifier: Apache-2.0
#pragma once

// The way out of a link: messages are copied into slots, and a slot is free again when MPI says
// that it has sent what was in it.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "makespan/base/ids.hpp"
#include "makespan/pgas/message/wire.hpp"
#include "makespan/pgas/mpi/mpi_api.hpp"
#include "makespan/pgas/transport/am/am_buffer.hpp"
#include "makespan/pgas/transport/am/detail/am_frame.hpp"
#include "makespan/pgas/transport/am/link_lock.hpp"
#include "makespan/pgas/transport/am/mpi_am_context.hpp"
#include "makespan/pgas/transport/link.hpp"

namespace makespan::pgas {

// Callable as the link is. The lock is not held while bytes are copied, nor while MPI looks after
// other things than the one send.
class AmSender {
 public:
  explicit AmSender(AmContext const& context);
  // Waits for the sends under way, up to the context's limit; forgets the rest.
  ~AmSender();
  AmSender(AmSender const&) = delete;
  AmSender& operator=(AmSender const&) = delete;

  [[nodiscard]] SendOutcome send(ImageId to, WireHeader const& header,
                                 std::span<std::byte const> payload);

  // Asks MPI about a few of the sends under way. Returns how many were done.
  int collect() { return has_sends_.load(std::memory_order_relaxed) ? collect_some() : 0; }

  [[nodiscard]] bool is_drained() const;

  void abandon(ImageId image);

 private:
  struct Slot {
    AmShortMessage message;
    AmBuffer payload{};                                                       // of a long message
    std::array<MPI_Request, 2> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};  // frame, payload
    std::size_t target{0};
    std::size_t payload_bytes{0};
  };

  // What is known of one image.
  struct Target {
    std::uint32_t next_number{0};
    int slots{0};  // that are not free, and hold something for it
    bool is_abandoned{false};
  };

  enum class Settled { done, under_way };

  [[nodiscard]] Slot* take(std::size_t target, std::size_t payload_bytes);
  static void write(Slot& slot, WireHeader const& header, std::span<std::byte const> payload);
  void post(Slot& slot);
  int collect_some();
  [[nodiscard]] Slot* take_oldest();
  Settled settle(Slot& slot);
  [[nodiscard]] static int test(Slot& slot);
  Settled put_back(Slot& slot, int code);

  // With the lock held.
  [[nodiscard]] int start(Slot& slot);
  void release(Slot& slot);
  void forget(Slot& slot);
  Slot& add_slot();

  AmContext context_;
  std::size_t long_bytes_max_;
  mutable LinkLock lock_;
  // All below is touched with the lock held, but for what is in a slot that a thread has taken.
  std::vector<std::unique_ptr<Slot>> slots_;
  std::vector<Slot*> free_;             // the one last used comes next: it is in the cache
  std::vector<Slot*> under_way_;        // the oldest first
  std::atomic<bool> has_sends_{false};  // that are under way; a hint for those without the lock
  std::size_t taken_{0};                // in the hands of a thread: neither free nor under way
  std::vector<std::unique_ptr<Slot>> forgotten_;  // MPI may read them still
  std::vector<Target> targets_;                   // by image
  AmBufferPool buffers_;
  std::size_t long_bytes_{0};  // payloads of long messages not sent yet
};

}  // namespace makespan::pgas
